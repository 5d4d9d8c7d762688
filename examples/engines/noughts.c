/* An engine for Tic-Tac-Toe that never loses: the example of docs/plugins.md. */
#include <stdio.h>
#include <string.h>

#include "boardwright_engine.h"

static char cells[9]; /* 'X', 'O' or 0; a1 is 0, b1 is 1, a2 is 3 */
static int n_tokens;
static long n_nodes;

static int cell_of(const char *site) {
    if (site[0] < 'a' || site[0] > 'c' || site[1] < '1' || site[1] > '3') return -1;
    return (site[1] - '1') * 3 + (site[0] - 'a');
}

static int has_row(char who) {
    static const int rows[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                   {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++) {
        const int *r = rows[i];
        if (cells[r[0]] == who && cells[r[1]] == who && cells[r[2]] == who) return 1;
    }
    return 0;
}

/* 1 if the side to move wins, -1 if it loses, 0 otherwise; the move is put into *best. */
static int solve(int *best) {
    char me = n_tokens % 2 ? 'O' : 'X', other = n_tokens % 2 ? 'X' : 'O';
    int found = -2;
    n_nodes++;
    if (has_row(other)) return -1;
    for (int i = 0; i < 9; i++) {
        int ignored, value;
        if (cells[i]) continue;
        cells[i] = me, n_tokens++;
        value = -solve(&ignored);
        cells[i] = 0, n_tokens--;
        if (value > found) found = value, *best = i;
    }
    return found == -2 ? 0 : found;
}

DLL_Result BW_CALL DLL_StartNewGame(const char *variant) {
    if (strcmp(variant, "Tic-Tac-Toe") != 0) return DLL_UNKNOWN_VARIANT_ERROR;
    memset(cells, 0, sizeof cells);
    n_tokens = 0;
    return DLL_OK;
}

/* "X Token b2" is a move; "(X Token b2)" and "(x b2)" are edits of the board. */
DLL_Result BW_CALL DLL_MakeAMove(const char *move) {
    char who, site[3];
    int cell;
    if (sscanf(move, "(x %2[a-c1-3])", site) == 1 && (cell = cell_of(site)) >= 0) {
        n_tokens -= cells[cell] != 0;
        cells[cell] = 0;
        return DLL_OK;
    }
    if (*move == '(') move++;
    if (sscanf(move, "%c Token %2[a-c1-3]", &who, site) != 2) return DLL_UNKNOWN_PIECE_ERROR;
    if ((cell = cell_of(site)) < 0) return DLL_INVALID_POSITION_ERROR;
    n_tokens += cells[cell] == 0;
    cells[cell] = who;
    return DLL_OK;
}

DLL_Result BW_CALL DLL_Search(long time, long depth, long variety, const Search_Status *status,
                              char *bestMove, char *currentMove, long *plNodes, long *plScore,
                              long *plDepth) {
    int best = -1, value;
    (void)time, (void)depth, (void)variety, (void)status, (void)currentMove;
    n_nodes = 0;
    value = solve(&best);
    if (best < 0) return DLL_NO_MOVES;
    sprintf(bestMove, "%c Token %c%c", n_tokens % 2 ? 'O' : 'X', 'a' + best % 3, '1' + best / 3);
    *plNodes = n_nodes;
    *plDepth = 9 - n_tokens;
    *plScore = value > 0   ? WIN_SCORE - (9 - n_tokens)
               : value < 0 ? LOSS_SCORE + (9 - n_tokens)
                           : DRAW_SCORE;
    return DLL_OK;
}

DLL_Result BW_CALL DLL_CleanUp(void) { return DLL_OK; }
