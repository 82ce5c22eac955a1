/* The limited API tells no offsets of slots. They are found by putting an object into each slot of
   an object that is thrown away, through the slot's own descriptor, and looking where it lies.

   Nothing that is made here is told to the collector of cycles. Records, and what they are made of,
   hold nothing that could hold them; and to whoever keeps a million of them it would come again and
   again. */

#include "slots.h"

#include <string.h>

int class_take(Class *class, PyObject *type) {
    const unsigned long flags = Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC;
    PyObject *basic;
    if (!PyType_Check(type) || (PyType_GetFlags((PyTypeObject *)type) & flags) != flags) {
        PyErr_SetString(PyExc_TypeError, "a record is of a class of its own");
        return -1;
    }
    basic = PyObject_GetAttrString(type, "__basicsize__");
    if (basic == NULL) return -1;
    class->size = PyLong_AsSsize_t(basic);
    Py_DECREF(basic);
    if (class->size < (Py_ssize_t)sizeof(PyObject)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a class of objects of no size");
        return -1;
    }
    class->type = (PyTypeObject *)Py_NewRef(type);
    return 0;
}

PyObject *class_object(const Class *class) {
    PyObject *made = PyObject_GC_New(PyObject, class->type);
    if (made != NULL) memset(made + 1, 0, (size_t)class->size - sizeof *made);
    return made;
}

PyObject *class_text(const Class *class, PyObject *text) {
    newfunc make = (newfunc)PyType_GetSlot(&PyUnicode_Type, Py_tp_new);
    PyObject *args = PyTuple_Pack(1, text);
    PyObject *made = args == NULL ? NULL : make(class->type, args, NULL);
    Py_XDECREF(args);
    if (made != NULL) PyObject_GC_UnTrack(made);
    return made;
}

static PyObject *any_object(const Class *class) {
    PyObject *text, *made;
    if (!PyType_IsSubtype(class->type, &PyUnicode_Type)) return class_object(class);
    text = PyUnicode_FromString("");
    made = text == NULL ? NULL : class_text(class, text);
    Py_XDECREF(text);
    return made;
}

Py_ssize_t class_slot(const Class *class, PyObject *slot) {
    descrsetfunc set = (descrsetfunc)PyType_GetSlot(Py_TYPE(slot), Py_tp_descr_set);
    PyObject *mark = PyList_New(0), *object = any_object(class);
    Py_ssize_t found = -1, hits = 0;
    if (mark == NULL || object == NULL) goto done;
    if (set == NULL || set(slot, object, mark) < 0) goto done;
    for (Py_ssize_t at = (Py_ssize_t)sizeof(PyObject);
         at + (Py_ssize_t)sizeof mark <= class->size; at += (Py_ssize_t)sizeof mark)
        if (memcmp((char *)object + at, &mark, sizeof mark) == 0) {
            found = at;
            hits++;
        }
done:
    Py_XDECREF(object);
    Py_XDECREF(mark);
    if (hits == 1) return found;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a slot lies where none is found");
    return -1;
}
