"""Functions that are on trial, and what can go wrong with one."""

import os
import sys
import time


def plain(text):
    return text.isascii() and text.isdigit()


def raising(text):
    if not plain(text):
        raise ZeroDivisionError
    return text


def failing(text):
    return plain(text) and text.no_such_method()


def noisy(text):
    sys.stdout.write("true\n")
    return plain(text)


def crashing(text):
    if text == "a":
        os._exit(3)
    return plain(text)


def hanging(text):
    if text == "a":
        time.sleep(600)
    return plain(text)


def dying(_):
    os._exit(3)


def connecting(_):
    import socket

    return socket.create_connection(("127.0.0.1", 9))


value = 5
