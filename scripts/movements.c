/* Simulated annealing of one movement, for movements.py: n players, R rounds, tables of four.
 *
 * Usage: movements N ROUNDS SECONDS SEED WEIGHT_OF_TABLE_MATES PARTNERS OPPONENTS
 * Ends early when no more than PARTNERS and OPPONENTS repeats are left (the lower bounds).
 * Prints "partners opponents mates", then one line of numbers a round: the two partners and the
 * two partners of each table, then who rests. A pair that met c times costs c * (c - 1) / 2.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 128
#define ROUNDS 128

static int n, rounds, tables, mates_weigh;
static int seat[ROUNDS][MOST], best[ROUNDS][MOST];
static int partners[MOST][MOST], opponents[MOST][MOST];
static uint64_t state;

static uint64_t chance(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Add (by 1) or take away (by -1) one meeting, and return what the cost changes. */
static int meet(int a, int b, int partner, int by) {
    int (*of)[MOST] = partner ? partners : opponents;
    int weight = partner ? 12 : 6;
    int mates = partners[a][b] + opponents[a][b];
    int change;
    if (by < 0) {
        change = -(weight * (of[a][b] - 1) + mates_weigh * (mates - 1));
    } else {
        change = weight * of[a][b] + mates_weigh * mates;
    }
    of[a][b] += by;
    of[b][a] = of[a][b];
    return change;
}

static int table_meets(int *at, int by) {
    return meet(at[0], at[1], 1, by) + meet(at[2], at[3], 1, by) + meet(at[0], at[2], 0, by) +
           meet(at[0], at[3], 0, by) + meet(at[1], at[2], 0, by) + meet(at[1], at[3], 0, by);
}

static void count(long *p, long *o, long *m) {
    *p = *o = *m = 0;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < a; b++) {
            int x = partners[a][b], y = opponents[a][b];
            *p += x * (x - 1) / 2;
            *o += y * (y - 1) / 2;
            *m += (x + y) * (x + y - 1) / 2;
        }
    }
}

static void start(void) {
    memset(partners, 0, sizeof partners);
    memset(opponents, 0, sizeof opponents);
    for (int r = 0; r < rounds; r++) {
        int resting = n % 4, at = 0;
        char rests[MOST] = {0};
        for (int j = 0; j < resting; j++) {
            int who = (r * resting + j) % n;
            rests[who] = 1;
            seat[r][4 * tables + j] = who;
        }
        for (int a = 0; a < n; a++) {
            if (!rests[a]) {
                seat[r][at++] = a;
            }
        }
        for (int k = at - 1; k > 0; k--) {
            int j = chance() % (k + 1), keep = seat[r][k];
            seat[r][k] = seat[r][j];
            seat[r][j] = keep;
        }
        for (int t = 0; t < tables; t++) {
            table_meets(seat[r] + 4 * t, 1);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 8) {
        return 2;
    }
    n = atoi(argv[1]);
    rounds = atoi(argv[2]);
    double seconds = atof(argv[3]);
    state = 88172645463325252ull ^ (uint64_t)atoll(argv[4]) * 2654435761ull;
    mates_weigh = atoi(argv[5]);
    long wanted_p = atol(argv[6]), wanted_o = atol(argv[7]);
    tables = n / 4;
    long best_p = 1 << 30, best_o = 1 << 30, best_m = 1 << 30;
    double began = now(), length = seconds / 6;
    int done = 0;
    while (!done && now() - began < seconds) {
        start();
        double from = now(), heat = 6;
        for (long step = 0;; step++) {
            if (step % 4096 == 0) {
                double gone = (now() - from) / length;
                if (gone >= 1) {
                    break;
                }
                heat = 7.0 * pow(0.06, gone);
            }
            int r = chance() % rounds;
            int i = chance() % (4 * tables), j = chance() % (4 * tables);
            int s = i / 4, t = j / 4;
            if (i == j || (s == t && (i % 4) / 2 == (j % 4) / 2)) {
                continue;
            }
            int *one = seat[r] + 4 * s, *other = seat[r] + 4 * t;
            int change = table_meets(one, -1);
            if (s != t) {
                change += table_meets(other, -1);
            }
            int keep = seat[r][i];
            seat[r][i] = seat[r][j];
            seat[r][j] = keep;
            change += table_meets(one, 1);
            if (s != t) {
                change += table_meets(other, 1);
            }
            if (change > 0 && exp(-change / heat) * 18446744073709551615.0 < (double)chance()) {
                table_meets(one, -1);
                if (s != t) {
                    table_meets(other, -1);
                }
                keep = seat[r][i];
                seat[r][i] = seat[r][j];
                seat[r][j] = keep;
                table_meets(one, 1);
                if (s != t) {
                    table_meets(other, 1);
                }
            } else if (change < 0) {
                /* Counting all pairs is slow: only where it may be a new best. */
                if (step % 64 && heat > 1.5) {
                    continue;
                }
                long p, o, m;
                count(&p, &o, &m);
                if (p < best_p || (p == best_p && (o < best_o || (o == best_o && m < best_m)))) {
                    best_p = p, best_o = o, best_m = m;
                    memcpy(best, seat, sizeof seat);
                    if (p <= wanted_p && o <= wanted_o && (mates_weigh == 0 || m == 0)) {
                        done = 1;
                        break;
                    }
                }
            }
        }
    }
    printf("%ld %ld %ld\n", best_p, best_o, best_m);
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < n; k++) {
            printf("%d ", best[r][k]);
        }
        printf("\n");
    }
    return 0;
}
