/* Objects of Python classes, made here: their slots are filled where they lie. */

#ifndef URIPARSE_SLOTS_H
#define URIPARSE_SLOTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* A class with slots, and the size of its objects. */
typedef struct {
    PyTypeObject *type; /* NULL for none yet */
    Py_ssize_t size;
} Class;

/* Take a class over; -1 with an error for one whose objects cannot be made here. */
int class_take(Class *class, PyObject *type);

/* Make an object whose slots are empty; NULL with an error. */
PyObject *class_object(const Class *class);

/* Make a text of a class for texts, with the other slots empty; NULL with an error. */
PyObject *class_text(const Class *class, PyObject *text);

/* Find where a slot lies in the objects of a class; -1 with an error. */
Py_ssize_t class_slot(const Class *class, PyObject *slot);

static inline PyObject **slot_at(PyObject *object, Py_ssize_t offset) {
    return (PyObject **)((char *)object + offset);
}

#endif
