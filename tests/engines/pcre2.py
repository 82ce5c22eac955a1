"""PCRE2 by its C interface, as it is without any settings: with its compiler, or interpreted."""

import ctypes
import ctypes.util

JIT_COMPLETE = 1
NO_MATCH = -1


def library():
    """The library for octets; None where it is not installed."""
    name = ctypes.util.find_library("pcre2-8")
    if name is None:
        return None
    found = ctypes.CDLL(name)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    number, numbers = ctypes.c_int, ctypes.POINTER(ctypes.c_int)
    found.pcre2_compile_8.restype = pointer
    found.pcre2_compile_8.argtypes = [
        *(ctypes.c_char_p, size, ctypes.c_uint32, numbers, ctypes.POINTER(size), pointer)
    ]
    found.pcre2_jit_compile_8.argtypes = [pointer, ctypes.c_uint32]
    found.pcre2_match_data_create_8.restype = pointer
    found.pcre2_match_data_create_8.argtypes = [ctypes.c_uint32, pointer]
    found.pcre2_match_8.argtypes = [
        *(pointer, ctypes.c_char_p, size, size, ctypes.c_uint32, pointer, pointer)
    ]
    found.pcre2_match_8.restype = number
    for free in (found.pcre2_match_data_free_8, found.pcre2_code_free_8):
        free.argtypes = [pointer]
        free.restype = None
    return found


def verdicts(pcre2, expression, texts, *, compiled):
    """The verdicts on texts; an error of the engine is an AssertionError."""
    error, offset = ctypes.c_int(), ctypes.c_size_t()
    octets = expression.encode()
    code = pcre2.pcre2_compile_8(
        octets, len(octets), 0, ctypes.byref(error), ctypes.byref(offset), None
    )
    assert code, f"PCRE2 takes no expression: error {error.value} at offset {offset.value}"
    if compiled:
        assert pcre2.pcre2_jit_compile_8(code, JIT_COMPLETE) == 0
    found = pcre2.pcre2_match_data_create_8(8, None)
    made = []
    for text in texts:
        octets = text.encode()
        answer = pcre2.pcre2_match_8(code, octets, len(octets), 0, 0, found, None)
        assert answer >= NO_MATCH, f"PCRE2 gives no verdict: error {answer}"
        made.append(answer > 0)
    pcre2.pcre2_match_data_free_8(found)
    pcre2.pcre2_code_free_8(code)
    return made
