# The types under which outlook.py is compiled.
cimport cython
from arena.game.rules cimport State


cdef class Outlook:
    cdef unsigned char[360] future
    cdef unsigned char[7] high
    cdef unsigned char[9] place
    cdef unsigned char[7] open_high
    cdef unsigned char[9] open_place
    cdef int used, open_used


@cython.locals(own=cython.double, left=cython.int, coming=cython.int, waits=cython.bint)
cdef double hope(Outlook o, State s, int seat) noexcept nogil
cdef int turns_left(State s, int seat) noexcept nogil
@cython.locals(most=cython.int)
cdef int until_the_end(State s) noexcept nogil
@cython.locals(seen=cython.int, shape=cython.int)
cdef bint has_pair(State s, int seat) noexcept nogil
@cython.locals(found=cython.int, tile=cython.int)
cdef int reach(State s, int seat) noexcept nogil
@cython.locals(tiles=cython.int, best=cython.double, base=cython.double, spilt=cython.int)
cdef double lift(Outlook o, State s, int seat, int coming) noexcept nogil
cdef void enter(Outlook o, State s, int seat) noexcept nogil
cdef void restart(Outlook o) noexcept nogil
@cython.locals(spilt=cython.int, index=cython.int)
cdef int haul(Outlook o, State s, int tile) noexcept nogil
@cython.locals(column=cython.int)
cdef int lay(Outlook o, int colour, int rows) noexcept nogil
@cython.locals(total=cython.int, future=cython.int, index=cython.int)
cdef double promise(Outlook o, State s, int coming) noexcept nogil
@cython.locals(total=cython.int, low=cython.int, first=cython.int, second=cython.int, column=cython.int)
cdef int points(Outlook o, State s) noexcept nogil
cdef int value(Outlook o, State s, int column) noexcept nogil
