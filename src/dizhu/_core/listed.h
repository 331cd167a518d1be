/* Facts and beliefs that come from Python as lists of numbers. */
#ifndef DIZHU_LISTED_H
#define DIZHU_LISTED_H

#include "planned.h"
#include "types.h"

/* Read at most so many facts; -1 and ValueError or TypeError if they are none. */
static inline int read_facts(const facts_t *f, PyObject *list, uint16_t *facts, int most) {
    PyObject *items = PySequence_Fast(list, "facts must be a sequence of whole numbers");
    if (!items) return -1;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    if (count > most) {
        PyErr_SetString(PyExc_ValueError, "these are too many facts");
        count = -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        int fact;
        if (!to_int(PySequence_Fast_GET_ITEM(items, i), 0, f->size - 1, "a fact", &fact)) {
            count = -1;
            break;
        }
        facts[i] = (uint16_t)fact;
    }
    Py_DECREF(items);
    return (int)count;
}

/* Numbers, in the order of beliefs_t. */
static int read_beliefs(PyObject *list, beliefs_t *out) {
    PyObject *numbers = PySequence_Fast(list, "beliefs must be a sequence of numbers");
    Py_ssize_t wanted = (Py_ssize_t)(sizeof *out / sizeof(double));
    int good = numbers && PySequence_Fast_GET_SIZE(numbers) == wanted;
    for (Py_ssize_t i = 0; good && i < wanted; i++) {
        double number = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(numbers, i));
        memcpy((char *)out + (size_t)i * sizeof number, &number, sizeof number);
        good = !PyErr_Occurred();
    }
    if (numbers && !good && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "there must be %zd beliefs", wanted);
    Py_XDECREF(numbers);
    return good;
}
#endif
