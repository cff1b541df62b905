/* Random games of "three of 1-9 with a total of 15", written by hand: what bare play can cost. */
#include <stdint.h>

static uint8_t wins[512];

static void prepare(void) {
    for (int hand = 0; hand < 512; hand++)
        for (int a = 0; a < 9; a++)
            for (int b = a + 1; b < 9; b++)
                for (int c = b + 1; c < 9; c++)
                    if (a + b + c + 3 == 15 && hand >> a & hand >> b & hand >> c & 1) wins[hand] = 1;
}

static inline uint64_t draw(uint64_t *word) {
    uint64_t mixed = *word += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

void play(long games, unsigned long long seed, int8_t *results) {
    uint64_t word = seed;
    if (!wins[511]) prepare();
    for (long game = 0; game < games; game++) {
        unsigned hands[2] = {0, 0}, open = 511;
        int turn = 0, result = 0;
        for (int left = 9; left; left--) {
            unsigned rest = open;
            for (unsigned skip = (draw(&word) >> 32) * left >> 32; skip; skip--) rest &= rest - 1;
            rest &= -rest;
            open ^= rest;
            if (wins[hands[turn] |= rest]) {
                result = turn ? -1 : 1;
                break;
            }
            turn ^= 1;
        }
        results[game] = result;
    }
}
