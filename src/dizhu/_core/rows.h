/* Written by buildtools/core_rows.py from dizhu.rules.shapes; change the rows there. */
#ifndef DIZHU_ROWS_H
#define DIZHU_ROWS_H

#define ROWS_STANDARD(X) \
    X(0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* solo */ \
    X(1, 2, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* pair */ \
    X(2, 3, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio */ \
    X(3, 1, 5, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* solo_chain */ \
    X(4, 2, 3, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* pair_chain */ \
    X(5, 3, 2, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_chain */ \
    X(6, 3, 1, 1, 1, 3, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_solo */ \
    X(7, 3, 1, 1, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_pair */ \
    X(8, 3, 2, 1, 1, 3, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_solo_chain */ \
    X(9, 3, 2, 1, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_pair_chain */ \
    X(10, 4, 1, 2, 1, 3, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* four_two_solo */ \
    X(11, 4, 1, 2, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* four_two_pair */ \
    X(12, 4, 1, 0, 1, 1, 0, 0, 1, 2, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(13, 0, 1, 0, 1, 1, 0, 0, 9, 2, 1, 0x110000000000000ULL, 0x0ULL) /* rocket */

#define ROWS_DISTINCT(X) \
    X(0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* solo */ \
    X(1, 2, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* pair */ \
    X(2, 3, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio */ \
    X(3, 1, 5, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* solo_chain */ \
    X(4, 2, 3, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* pair_chain */ \
    X(5, 3, 2, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_chain */ \
    X(6, 3, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_solo */ \
    X(7, 3, 1, 1, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_pair */ \
    X(8, 3, 2, 1, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_solo_chain */ \
    X(9, 3, 2, 1, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_pair_chain */ \
    X(10, 4, 1, 2, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* four_two_solo */ \
    X(11, 4, 1, 2, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* four_two_pair */ \
    X(12, 4, 1, 0, 1, 1, 0, 0, 1, 2, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(13, 0, 1, 0, 1, 1, 0, 0, 9, 2, 1, 0x110000000000000ULL, 0x0ULL) /* rocket */

#define ROWS_PAIRS_ONLY(X) \
    X(0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* solo */ \
    X(1, 2, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* pair */ \
    X(2, 3, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio */ \
    X(3, 1, 5, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* solo_chain */ \
    X(4, 2, 3, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* pair_chain */ \
    X(5, 3, 2, 0, 1, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_chain */ \
    X(6, 3, 1, 1, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_pair */ \
    X(7, 3, 2, 1, 2, 1, 0, 0, 0, 1, 0, 0x0ULL, 0x0ULL) /* trio_pair_chain */ \
    X(8, 4, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(9, 0, 1, 0, 1, 1, 0, 0, 2, 1, 2, 0x20000000000000ULL, 0x200000000000000ULL) /* bomb */ \
    X(10, 5, 1, 0, 1, 1, 0, 0, 3, 2, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(11, 6, 1, 0, 1, 1, 0, 0, 4, 2, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(12, 0, 1, 0, 1, 1, 0, 0, 5, 2, 2, 0x120000000000000ULL, 0x210000000000000ULL) /* bomb */ \
    X(13, 7, 1, 0, 1, 1, 0, 0, 6, 2, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(14, 8, 1, 0, 1, 1, 0, 0, 7, 2, 0, 0x0ULL, 0x0ULL) /* bomb */ \
    X(15, 0, 1, 0, 1, 1, 0, 0, 9, 2, 1, 0x220000000000000ULL, 0x0ULL) /* rocket */

#define FAMILIES(X) X(standard, STANDARD) X(distinct, DISTINCT) X(pairs_only, PAIRS_ONLY)

#endif
