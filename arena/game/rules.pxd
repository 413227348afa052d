# The types under which rules.py is compiled; docs/adr/0005 says why and which traps tests hold shut.
cimport cython


cdef class Tables:
    cdef readonly int rows
    cdef readonly bint refills
    cdef readonly bytes stones
    cdef readonly bytes row_score
    cdef readonly bytes column_score


cdef class State:
    cdef readonly unsigned short ply, end
    cdef readonly unsigned char rows, players, trigger, passes, front, back, lake_count, taken_count
    cdef readonly unsigned char phase, target, owed, least, listed
    cdef readonly bint refills, over, guessed
    cdef unsigned int dice_a, dice_b, dice_c, dice_n
    cdef unsigned char[6] stones
    cdef unsigned char[8] row_score
    cdef unsigned char[63] column_score
    cdef unsigned char[132] bag
    cdef unsigned char[6] river
    cdef unsigned char[6] spot
    cdef unsigned char[132] stock
    cdef unsigned char[7] edge
    cdef unsigned char[5] lake
    cdef unsigned char[45] satchel
    cdef unsigned char[5] satchel_count
    cdef unsigned char[35] owner
    cdef unsigned char[45] column
    cdef unsigned char[35] height
    cdef unsigned char[5] placed
    cdef unsigned char[5] overflow_count
    cdef unsigned char[132] taken
    cdef unsigned char[132] taker
    cdef unsigned char[115] option
    cpdef State clone(self)
    cpdef State emptied(self)
    cpdef reseed(self, number)
    cpdef pick(self)
    cpdef step(self, decision)
    cpdef playout(self)
    cpdef score(self, seat)
    cpdef bytes array(self, str name)


@cython.locals(t=State)
cpdef State clone(State s)
@cython.locals(t=State)
cpdef State emptied(State s)
cdef void become(State t, State s) noexcept nogil

@cython.locals(s=State)
cpdef State dealt(Tables tables, int players, object bag, object tiles)
@cython.locals(s=State)
cpdef State filled(Tables tables, int players, object bag)
cdef void set_up(State s) noexcept nogil

cpdef int mover(State s) noexcept nogil
cdef void place(State s, int kind, int tile) noexcept nogil
cdef void finish_river(State s, int target) noexcept nogil
cdef void grasp(State s, int kind) noexcept nogil
cdef void give_up(State s, int kind) noexcept nogil
cdef void finish_lake(State s) noexcept nogil
cdef void finish_pass(State s) noexcept nogil
cpdef bint must_pass(State s) noexcept nogil
cpdef bint lake_is_open(State s) noexcept nogil
cpdef int lake_take(State s) noexcept nogil
cpdef int discard_count(State s) noexcept nogil
cdef void end_turn(State s) noexcept nogil
cdef void start_last_stage(State s, int seat) noexcept nogil
@cython.locals(free=cython.int)
cpdef int free_columns(State s) noexcept nogil

@cython.locals(first=cython.int, after=cython.int, last=cython.int, later=cython.int)
cdef void collect(State s, int seat, int tile) noexcept nogil
cdef void sort_piece(State s, int seat, int kind) noexcept nogil
cdef void note(State s, int seat, int kind) noexcept nogil
cdef void open_column(State s, int seat, int colour) noexcept nogil
cdef void flow(State s, int tile) noexcept nogil
cdef void lay_tile(State s, int shape, int index) noexcept nogil
cdef void fill_tile(State s, int tile, int pieces) noexcept nogil
cdef void fill_satchel(State s, int seat) noexcept nogil
cdef int draw_front(State s) noexcept nogil
cdef int draw_back(State s) noexcept nogil
cdef void swap(State s, int index) noexcept nogil
@cython.locals(index=cython.int, later=cython.int)
cdef void put_on_tile(State s, int tile, int kind) noexcept nogil
cdef void put_in_lake(State s, int kind) noexcept nogil
cdef void drop_from_lake(State s, int kind) noexcept nogil
cdef void put_in_satchel(State s, int seat, int kind) noexcept nogil
cdef void drop_from_satchel(State s, int seat, int kind) noexcept nogil
cdef void put_in_overflow(State s, int seat, int kind) noexcept nogil
cdef void insert(unsigned char* shelf, int base, int count, int kind) noexcept nogil
cdef void remove(unsigned char* shelf, int base, int count, int kind) noexcept nogil

cdef int points(State s, int seat) noexcept nogil
cdef int row_points(State s, int seat) noexcept nogil
cdef int column_points(State s, int seat) noexcept nogil
cdef int tallest(State s, int seat, int without) noexcept nogil
cdef int column_value(State s, int seat, int column) noexcept nogil

cdef int options(State s) noexcept nogil
cdef int single_options(State s) noexcept nogil
@cython.locals(first=cython.bint, second=cython.bint)
cdef int double_options(State s, int count) noexcept nogil
cdef int lake_options(State s, int count) noexcept nogil
cdef int colour_options(State s) noexcept nogil
cdef int give_options(State s) noexcept nogil
cdef void decide(State s, int decision) noexcept nogil
cdef void aim(State s, int target) noexcept nogil
@cython.locals(whole=cython.bint)
cdef void take_all_but(State s, int stays) noexcept nogil
cdef void give(State s, int slot) noexcept nogil
cdef void seed(State s, unsigned int high, unsigned int low) noexcept nogil
@cython.locals(word=cython.uint)
cdef unsigned int roll(State s) noexcept nogil
@cython.locals(word=cython.ulonglong)
cdef int below(State s, int count) noexcept nogil
cpdef pick(State s)
cpdef playout(State s)
cdef void run(State s) noexcept nogil
@cython.locals(other=cython.int, shape=cython.int)
cdef void start(State s, State fresh, unsigned int number, unsigned int game) noexcept nogil
@cython.locals(total=cython.uint)
cdef unsigned int play_games(State s, State fresh, unsigned int number, int games) noexcept nogil
@cython.locals(fresh=State, s=State, total=cython.uint)
cpdef random_games(Tables tables, int players, object bag, unsigned int number, int games)
@cython.locals(found=cython.bint)
cdef bint is_listed(State s, int decision) noexcept nogil
@cython.locals(chosen=cython.int)
cpdef step(State s, object decision)
@cython.locals(count=cython.int)
cpdef bytes decisions(State s)
cpdef bytes array(State s, str name)
@cython.locals(found=bytearray, tops=bytearray, seat=cython.int, kind=cython.int, place=cython.int)
cpdef bytes cells(State s)
@cython.locals(found=bytearray)
cpdef bytes overflow(State s)
cpdef bytes on_tile(State s, object tile)
cpdef Tables numbers(State s)
cpdef bytes in_satchel(State s, object seat)
cpdef int score(State s, object seat) except? -9999
cpdef check_seat(State s, object seat)
cpdef reseed(State s, unsigned long long number)
cpdef river(State s, object pieces, object tile, object side, object order)
cpdef draw_lake(State s, object take, object discards)
cpdef forced_pass(State s)
cpdef check_turn(State s)
cpdef check_river(State s, object pieces, object tile, object side)
cpdef check_lake(State s, object take, object discards)
cpdef list colour_order(State s, object tile, object order)
cpdef list new_colours(State s, object tile)
cpdef assign(State s, object given)
cpdef snapshot(State s)
cpdef tuple parts(State s, object seat)


cdef class Batch:
    cdef State fresh
    cdef list games
    cdef unsigned int number, started
    cdef readonly bytearray observation, mask, seats
    cpdef step(self, decisions)
    cpdef pick(self)

@cython.locals(s=State, index=cython.int, count=cython.int, seat=cython.int)
cpdef list take(Batch b, bytes decisions)
@cython.locals(s=State, found=bytearray, index=cython.int)
cpdef bytes picks(Batch b)
cdef void begin(Batch b, State s) noexcept
@cython.locals(s=State)
cdef void show(Batch b, int index) noexcept
cpdef bytes observed(State s, object seat)
cdef void mark(State s, unsigned char* into, int base) noexcept nogil
cdef void observe(State s, int seat, unsigned char* into, int base) noexcept nogil
cdef void observe_river(State s, unsigned char* into, int base) noexcept nogil
cdef void observe_seat(State s, int seat, unsigned char* into, int base) noexcept nogil
cdef void show_piece(unsigned char* into, int base, int kind) noexcept nogil
