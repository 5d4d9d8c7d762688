/* boardwright_engine.h: the interface of plug-in engines.
 *
 * An engine is a shared library with four routines, and two more if it likes: a .so on Linux,
 * a .dylib on macOS, a .dll on Windows. Boardwright loads it in a process of its own. The
 * interface is that of Zillions of Games, so an engine written for one works with the other
 * once it is compiled; docs/plugins.md tells the rest.
 *
 * Licence: MIT or Apache-2.0, as you like, or nothing at all for this header.
 */
#ifndef BOARDWRIGHT_ENGINE_H
#define BOARDWRIGHT_ENGINE_H

#if defined(_WIN32)
#define BW_CALL __stdcall
#define BW_EXPORT __declspec(dllexport)
#else
#define BW_CALL
#define BW_EXPORT __attribute__((visibility("default")))
#endif

/* Words of Windows headers in sources that were written for the original. */
#if !defined(_WIN32)
#ifndef FAR
#define FAR
#endif
#ifndef PASCAL
#define PASCAL
#endif
typedef char *LPSTR;
typedef const char *LPCSTR;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What an engine reads through pSearchStatus while it searches. */
typedef enum {
    kKEEPSEARCHING = 0, /* go on */
    kSTOPSOON = 1,      /* the time is over, or the player wants a move: return soon */
    kSTOPNOW = 2        /* nobody waits for the result any more: return at once */
} Search_Status;

/* What a routine returns. After a negative code the engine is not asked again. */
typedef enum {
    DLL_OK = 0,
    DLL_OK_DONT_SEND_SETUP = 1, /* of DLL_StartNewGame: the pieces stand already */
    DLL_GENERIC_ERROR = -1,
    DLL_OUT_OF_MEMORY_ERROR = -2,
    DLL_UNKNOWN_VARIANT_ERROR = -3,
    DLL_UNKNOWN_PLAYER_ERROR = -4,
    DLL_UNKNOWN_PIECE_ERROR = -5,
    DLL_WRONG_SIDE_TO_MOVE_ERROR = -6,
    DLL_INVALID_POSITION_ERROR = -7,
    DLL_NO_MOVES = -8
} DLL_Result;

/* Scores are for the side to move. A thousand is about the cheapest piece; WIN_SCORE - x is a
 * win in x moves (parts of moves counted), LOSS_SCORE + x a loss in x. */
#define UNKNOWN_SCORE (-2140000000L)
#define LOSS_SCORE (-2130000000L)
#define DRAW_SCORE (0L)
#define WIN_SCORE (2130000000L)

/* Begins a game: an empty board. The pieces follow as edits, such as "(White Rook e4)". */
BW_EXPORT DLL_Result BW_CALL DLL_StartNewGame(const char *variant);

/* Makes a move, such as "Pawn e2 - e4", or an edit: "(White Rook e4)", "(x e5)". */
BW_EXPORT DLL_Result BW_CALL DLL_MakeAMove(const char *move);

/* Searches, and writes the move to play to bestMove without making it. The other pointers are
 * for live reports and may be written at any time. There is room for 1024 characters. */
BW_EXPORT DLL_Result BW_CALL DLL_Search(long lSearchTime, /* milliseconds */
                                        long lDepthLimit, long lVariety, /* 0 to 10 */
                                        const Search_Status *pSearchStatus, char *bestMove,
                                        char *currentMove, long *plNodes, long *plScore,
                                        long *plDepth);

/* Frees everything. */
BW_EXPORT DLL_Result BW_CALL DLL_CleanUp(void);

/* Optional. Writes WIN_SCORE, LOSS_SCORE, DRAW_SCORE for the side to move, or UNKNOWN_SCORE
 * while the game goes on; zcomment has room for 500 characters. */
BW_EXPORT DLL_Result BW_CALL DLL_IsGameOver(long *lResult, char *zcomment);

/* Optional. Each call writes the next legal move, first for an empty text; an empty text ends
 * the list. There is room for 1024 characters. */
BW_EXPORT DLL_Result BW_CALL DLL_GenerateMoves(char *moveBuffer);

#ifdef __cplusplus
}
#endif

#endif
