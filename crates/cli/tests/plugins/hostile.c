/* An engine for Tic-Tac-Toe that does one thing wrong, by the number FAULT. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boardwright_engine.h"

static char cells[9];
static int n_tokens;

static void for_ever(void) {
    for (;;) usleep(1000);
}

static DLL_Result wrong(int at_call) {
#if FAULT == 1
    if (at_call == 2) *(volatile int *)0 = 1;
#elif FAULT == 2
    if (at_call == 2) for_ever();
#elif FAULT == 3
    if (at_call == 1) for_ever();
#elif FAULT == 4
    if (at_call == 0) for_ever();
#elif FAULT == 5 /* garbage on every descriptor, the one of the protocol included */
    if (at_call == 2)
        for (int fd = 3; fd < 64; fd++)
            if (write(fd, "\377\376garbage\n", 10) < 0) continue;
#elif FAULT == 6 /* a flood */
    if (at_call == 2)
        for (;;) {
            static char page[65535];
            for (int i = 0; i < 65535; i += 15) memcpy(page + i, "info\t1\t1\t1\ta\tb\n", 15);
            for (int fd = 3; fd < 64; fd++)
                if (write(fd, page, sizeof page) < 0) continue;
        }
#elif FAULT == 7 /* memory */
    if (at_call == 2)
        for (;;) {
            char *more = malloc(1 << 20);
            memset(more, 1, 1 << 20);
        }
#elif FAULT == 8 /* processes: a child that would go on after us */
    if (at_call == 2) {
        pid_t pid = fork();
        if (pid == 0) {
            setsid();
            for_ever();
        }
        return pid < 0 ? DLL_GENERIC_ERROR : DLL_OK;
    }
#elif FAULT == 9 /* files: reads what is not ours, writes */
    if (at_call == 2) {
        int secret = open(SECRET, O_RDONLY), written = open(WRITTEN, O_CREAT | O_WRONLY, 0600);
        return secret < 0 && written < 0 ? DLL_GENERIC_ERROR : DLL_OK;
    }
#elif FAULT == 10 /* the network, and a signal to the program */
    if (at_call == 2) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        int killed = kill(getppid(), SIGTERM);
        return fd < 0 && killed < 0 ? DLL_GENERIC_ERROR : DLL_OK;
    }
#elif FAULT >= 20 /* each negative code, from each call */
    if (at_call == (FAULT - 20) / 10) return (DLL_Result)(-1 - (FAULT - 20) % 10);
#endif
    (void)at_call;
    (void)for_ever;
    return DLL_OK;
}

#if FAULT == 11
__attribute__((constructor)) static void at_load(void) { abort(); }
#elif FAULT == 12
__attribute__((constructor)) static void at_load(void) { for_ever(); }
#elif FAULT == 13
static void at_exit(void) { for_ever(); }
__attribute__((constructor)) static void at_load(void) { atexit(at_exit); }
#endif

DLL_Result BW_CALL DLL_StartNewGame(const char *variant) {
    (void)variant;
    memset(cells, 0, sizeof cells);
    n_tokens = 0;
    return wrong(0);
}

DLL_Result BW_CALL DLL_MakeAMove(const char *move) {
    const char *site = strrchr(move, ' ') + 1;
    cells[(site[1] - '1') * 3 + (site[0] - 'a')] = 1;
    n_tokens++;
    return wrong(1);
}

DLL_Result BW_CALL DLL_Search(long time, long depth, long variety, const Search_Status *status,
                              char *bestMove, char *currentMove, long *plNodes, long *plScore,
                              long *plDepth) {
    DLL_Result result = wrong(2);
    int cell = 0;
    (void)time, (void)depth, (void)variety, (void)currentMove, (void)plNodes, (void)plScore;
    (void)plDepth, (void)status;
#if FAULT == 14
    strcpy(bestMove, "X Token z9");
    return DLL_OK;
#elif FAULT == 15
    memset(bestMove, 0xff, 5000);
    return DLL_OK;
#elif FAULT == 16 /* says where it is until it is told to stop, and stops */
    while (*(volatile const Search_Status *)status == kKEEPSEARCHING) ++*plNodes;
    *plScore = 1000 * *(volatile const Search_Status *)status;
#endif
    while (cell < 8 && cells[cell]) cell++;
    sprintf(bestMove, "%c Token %c%c", n_tokens % 2 ? 'O' : 'X', 'a' + cell % 3, '1' + cell / 3);
    return result;
}

DLL_Result BW_CALL DLL_CleanUp(void) {
#if FAULT == 17
    for_ever();
#endif
    return DLL_OK;
}
