/* A yardstick for the engine: the same random games written by hand in plain C, docs/rules.md in other words.
   cc -O3 yardstick.c -o yardstick && ./yardstick PLAYERS NUMBER GAMES [THREADS]
   Standard input: the kinds of the bag, as numbers. Prints checksum, decisions, turns and seconds of the games. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 5, SHAPES = 6, NOBODY = 255, TURN = 0, ORDERING = 1, GIVING = 2 };

typedef struct {
    int count;
    uint8_t kind[132];
} Shelf;

typedef struct {
    int count;
    uint8_t kind[9];
} Hand;

typedef struct {
    uint8_t owner[COLUMNS], column[9], height[COLUMNS], cell[COLUMNS][ROWS], overflow[54];
    int placed, spilt;
} Glassworks;

typedef struct {
    int players, ply, end, trigger, passes, over, front, back, phase, target, owed, least;
    uint8_t bag[132], river[SHAPES];
    Shelf tile[SHAPES];
    Hand lake, satchel[5];
    Glassworks side[5];
    uint32_t a, b, c, n;
} Game;

static const int STONES[SHAPES] = {1, 2, 1, 2, 1, 2};
static const int ROW_SCORE[COLUMNS + 1] = {0, 1, 2, 4, 7, 11, 16, 22};

static uint32_t roll(Game *g) {
    uint32_t word = g->a + g->b + g->n++;
    g->a = g->b ^ (g->b >> 9);
    g->b = g->c + (g->c << 3);
    g->c = ((g->c << 21) | (g->c >> 11)) + word;
    return word;
}

static int below(Game *g, int count) { return (int)(((uint64_t)roll(g) * (uint64_t)count) >> 32); }

static void seed(Game *g, uint32_t high, uint32_t low) {
    g->a = low, g->b = high, g->c = 0, g->n = 1;
    for (int i = 0; i < 12; i++) roll(g);
}

static void insert(uint8_t *shelf, int count, uint8_t kind) {
    int at = count;
    for (; at > 0 && shelf[at - 1] > kind; at--) shelf[at] = shelf[at - 1];
    shelf[at] = kind;
}

static void erase(uint8_t *shelf, int count, uint8_t kind) {
    int at = 0;
    while (shelf[at] != kind) at++;
    for (; at < count - 1; at++) shelf[at] = shelf[at + 1];
}

static void swap(Game *g, int at) {
    int other = g->front + below(g, g->back - g->front);
    uint8_t kind = g->bag[at];
    g->bag[at] = g->bag[other];
    g->bag[other] = kind;
}

static uint8_t draw_front(Game *g) {
    swap(g, g->front);
    return g->bag[g->front++];
}

static uint8_t draw_back(Game *g) {
    swap(g, g->back - 1);
    return g->bag[--g->back];
}

static void onto_tile(Shelf *tile, uint8_t kind) { insert(tile->kind, tile->count++, kind); }
static void into_hand(Hand *hand, uint8_t kind) { insert(hand->kind, hand->count++, kind); }
static void out_of_hand(Hand *hand, uint8_t kind) { erase(hand->kind, hand->count--, kind); }

static void fill_tile(Game *g, int shape, int pieces) {
    for (int i = 0; i < pieces && g->front < g->back; i++) onto_tile(&g->tile[shape], draw_front(g));
}

static void fill_satchel(Game *g, int seat) {
    while (g->satchel[seat].count < 3 && g->front < g->back) into_hand(&g->satchel[seat], draw_front(g));
}

static void open_column(Glassworks *side, int colour) {
    for (int column = 0; column < COLUMNS; column++)
        if (side->owner[column] == NOBODY) {
            side->owner[column] = colour;
            side->column[colour] = column;
            return;
        }
}

static void spill(Glassworks *side, uint8_t kind) {
    side->overflow[kind]++;
    side->spilt++;
}

static void sort_piece(Glassworks *side, uint8_t kind) {
    int colour = kind / SHAPES;
    if (side->column[colour] == NOBODY) open_column(side, colour);
    int column = side->column[colour];
    if (column == NOBODY || side->height[column] == ROWS) {
        spill(side, kind);
        return;
    }
    side->cell[column][side->height[column]++] = kind;
    side->placed++;
}

static int points(const Glassworks *side) {
    int sum = 0;
    for (int row = 0; row < ROWS; row++) {
        int length = 0;
        while (length < COLUMNS && side->height[length] > row) length++;
        sum += ROW_SCORE[length];
    }
    int first = 0;
    for (int column = 1; column < COLUMNS; column++)
        if (side->height[column] > side->height[first]) first = column;
    int second = first == 0 ? 1 : 0;
    for (int column = 0; column < COLUMNS; column++)
        if (column != first && side->height[column] > side->height[second]) second = column;
    sum += side->height[first] * (first + 1) + side->height[second] * (second + 1);
    return sum - 3 * side->spilt;
}

static void end_turn(Game *g) {
    g->ply++;
    if (g->trigger != NOBODY)
        g->over = g->ply == g->end;
    else if (g->ply % g->players == 0)
        g->over = g->passes == g->players;
    if (g->ply % g->players == 0) g->passes = 0;
}

static void finish_river(Game *g, int target) {
    int seat = g->ply % g->players, shape = g->river[target];
    Shelf *tile = &g->tile[shape];
    for (int i = 0; i < tile->count; i++) sort_piece(&g->side[seat], tile->kind[i]);
    tile->count = 0;
    for (int at = target; at > 0; at--) g->river[at] = g->river[at - 1];
    g->river[0] = shape;
    fill_tile(g, shape, STONES[g->river[1]]);
    if (g->trigger == NOBODY && g->side[seat].placed >= 17) {
        g->trigger = seat;
        g->end = (g->ply / g->players + 2) * g->players;
        for (int step = 0; step < g->players; step++) fill_satchel(g, (seat + step) % g->players);
    }
    end_turn(g);
}

static void finish_lake(Game *g) {
    while (g->lake.count < 5 && g->front < g->back) into_hand(&g->lake, draw_back(g));
    end_turn(g);
}

static int colours(const Game *g, uint8_t *out) {
    const Shelf *tile = &g->tile[g->river[g->target]];
    const Glassworks *side = &g->side[g->ply % g->players];
    int count = 0;
    for (int i = 0; i < tile->count; i++) {
        int colour = tile->kind[i] / SHAPES;
        if (side->column[colour] == NOBODY && (count == 0 || out[count - 1] != 116 + colour))
            out[count++] = 116 + colour;
    }
    return count;
}

static void aim(Game *g, int target, uint8_t *out) {
    const Glassworks *side = &g->side[g->ply % g->players];
    g->target = target;
    g->phase = ORDERING;
    if (side->owner[COLUMNS - 1] != NOBODY || colours(g, out) < 2) {
        g->phase = TURN;
        finish_river(g, target);
    }
}

static int lies(const Game *g, int shape) {
    int at = 0;
    while (g->river[at] != shape) at++;
    return at;
}

static int options(const Game *g, uint8_t *out) {
    const Hand *hand = &g->satchel[g->ply % g->players];
    int count = 0;
    if (g->phase == ORDERING) return colours(g, out);
    if (g->phase == GIVING) {
        for (int slot = g->least; slot <= hand->count - g->owed; slot++)
            if (slot == g->least || hand->kind[slot] != hand->kind[slot - 1]) out[count++] = 125 + slot;
        return count;
    }
    for (int slot = 0; slot < hand->count; slot++)
        if (slot == 0 || hand->kind[slot] != hand->kind[slot - 1]) {
            int at = lies(g, hand->kind[slot] % SHAPES);
            if (at > 0) out[count++] = 2 * slot;
            if (at < SHAPES - 1) out[count++] = 2 * slot + 1;
        }
    int pair = 0;
    for (int one = 0; one < 4; one++)
        for (int two = one + 1; two < 5; two++, pair++)
            if (two < hand->count && hand->kind[one] % SHAPES == hand->kind[two] % SHAPES &&
                (one == 0 || hand->kind[one] != hand->kind[one - 1]) &&
                (two == one + 1 || hand->kind[two] != hand->kind[two - 1]))
                for (int way = 0; way < 10; way++) out[count++] = 10 + 10 * pair + way;
    int open = g->trigger == NOBODY && g->lake.count > 0;
    if (open)
        for (int at = 0; at < (g->lake.count > 4 ? g->lake.count : 1); at++)
            if (at == 0 || g->lake.kind[at] != g->lake.kind[at - 1]) out[count++] = 110 + at;
    if (!open && hand->count == 0) out[count++] = 115;
    return count;
}

static void place(Game *g, uint8_t kind, int at) {
    out_of_hand(&g->satchel[g->ply % g->players], kind);
    onto_tile(&g->tile[g->river[at]], kind);
}

static void decide(Game *g, int decision, uint8_t *out) {
    Hand *hand = &g->satchel[g->ply % g->players];
    Glassworks *side = &g->side[g->ply % g->players];
    if (decision < 10) {
        uint8_t kind = hand->kind[decision / 2];
        int at = lies(g, kind % SHAPES);
        place(g, kind, at);
        aim(g, at + 2 * (decision % 2) - 1, out);
    } else if (decision < 110) {
        int pair = (decision - 10) / 10, way = (decision - 10) % 10, one = 0, at = (way + 1) / 2;
        for (; pair >= 4 - one; one++) pair -= 4 - one;
        uint8_t first = hand->kind[one], second = hand->kind[one + 1 + pair];
        place(g, first, at);
        place(g, second, at);
        aim(g, at + 1 - 2 * (way % 2), out);
    } else if (decision < 115) {
        int whole = g->lake.count <= 4, take = whole ? g->lake.count : 4;
        g->owed = hand->count + take > 5 ? hand->count + take - 5 : 0;
        for (int at = g->lake.count - 1; at >= 0; at--)
            if (whole || at != decision - 110) {
                uint8_t kind = g->lake.kind[at];
                out_of_hand(&g->lake, kind);
                into_hand(hand, kind);
            }
        g->least = 0;
        g->phase = g->owed ? GIVING : TURN;
        if (g->owed == 0) finish_lake(g);
    } else if (decision == 115) {
        g->passes++;
        end_turn(g);
    } else if (decision < 125) {
        open_column(side, decision - 116);
        aim(g, g->target, out);
    } else {
        uint8_t kind = hand->kind[decision - 125];
        out_of_hand(hand, kind);
        spill(side, kind);
        g->least = decision - 125;
        if (--g->owed == 0) {
            g->phase = TURN;
            finish_lake(g);
        }
    }
}

typedef struct {
    Game fresh;
    uint32_t number, checksum;
    int games;
    uint64_t decisions, turns;
} Work;

static void *play(void *given) {
    Work *work = given;
    Game g;
    uint8_t out[134];
    for (int game = 0; game < work->games; game++) {
        g = work->fresh;
        seed(&g, work->number, (uint32_t)game);
        for (int at = SHAPES - 1; at > 0; at--) {
            int other = below(&g, at + 1);
            uint8_t shape = g.river[at];
            g.river[at] = g.river[other];
            g.river[other] = shape;
        }
        for (int at = 0; at < SHAPES; at++) fill_tile(&g, g.river[at], STONES[g.river[at]]);
        for (int i = 0; i < 5; i++) into_hand(&g.lake, draw_front(&g));
        for (int seat = 0; seat < g.players; seat++) fill_satchel(&g, seat);
        while (!g.over) {
            decide(&g, out[below(&g, options(&g, out))], out);
            work->decisions++;
        }
        work->turns += g.ply;
        for (int seat = 0; seat < g.players; seat++)
            work->checksum = work->checksum * 31 + points(&g.side[seat]) + 1000;
    }
    return NULL;
}

int main(int count, char **given) {
    if (count < 4) return 2;
    int threads = count > 4 ? atoi(given[4]) : 1, kind;
    Work *works = calloc(threads, sizeof *works);
    pthread_t *runs = calloc(threads, sizeof *runs);
    Game *g = &works[0].fresh;
    g->players = atoi(given[1]);
    g->trigger = NOBODY;
    while (g->back < 132 && scanf("%d", &kind) == 1) g->bag[g->back++] = kind;
    for (int shape = 0; shape < SHAPES; shape++) g->river[shape] = shape;
    for (int seat = 0; seat < 5; seat++) {
        memset(g->side[seat].owner, NOBODY, sizeof g->side[seat].owner);
        memset(g->side[seat].column, NOBODY, sizeof g->side[seat].column);
    }
    works[0].number = (uint32_t)strtoul(given[2], NULL, 10);
    works[0].games = atoi(given[3]);
    for (int i = 1; i < threads; i++) works[i] = works[0];
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < threads; i++) pthread_create(&runs[i], NULL, play, &works[i]);
    for (int i = 0; i < threads; i++) pthread_join(runs[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%u %llu %llu %.9f\n", works[0].checksum, (unsigned long long)works[0].decisions,
           (unsigned long long)works[0].turns, (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
    return 0;
}
