/* Runs of the octets that a state loops on, many at a time where the processor can.

   A run ends with a branch that no processor foresees; over many octets at a time there is mostly
   one step, whatever the length. */

#ifndef URIPARSE_RUNS_H
#define URIPARSE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* A text that is read so has as many octets at least. */
#define WIDTH 32

#if defined(__GNUC__) && defined(__x86_64__) && !defined(URIPARSE_NARROW)

#include <immintrin.h>

#define FOR_WIDE __attribute__((target("avx2,bmi")))

static inline int reads_wide(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}

/* Which of WIDTH octets are none of a few, the first in the lowest bit. Those beyond ASCII are none. */
FOR_WIDE static inline uint32_t others_of(const uint8_t few[16], const uint8_t *from) {
    const __m128i bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i bit = _mm256_broadcastsi128_si256(bits), low = _mm256_set1_epi8(15);
    const __m256i own = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)few));
    __m256i octets = _mm256_loadu_si256((const __m256i *)from);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(octets, 4), low);
    __m256i common =
        _mm256_and_si256(_mm256_shuffle_epi8(own, octets), _mm256_shuffle_epi8(bit, high));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(common, _mm256_setzero_si256()));
}

/* The same, but for octets beyond ASCII where `beyond` has all bits. */
FOR_WIDE static inline uint32_t strange_of(const uint8_t known[16], uint32_t beyond,
                                           const uint8_t *from) {
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)from));
    return others_of(known, from) & ~(high & beyond);
}

/* The first octet from `at` on that is none of a few, or the end, which it is before; there are
   WIDTH octets before the end, so that the last of them are read together instead of what is behind. */
FOR_WIDE static inline const uint8_t *behind_few(const uint8_t few[16], const uint8_t *at,
                                                 const uint8_t *end) {
    do {
        const uint8_t *from = end - at < WIDTH ? end - WIDTH : at;
        uint32_t others = others_of(few, from) >> (at - from);
        if (others != 0) return at + __builtin_ctz(others);
        at = from + WIDTH;
    } while (at < end);
    return end;
}

#else

#define FOR_WIDE

static inline int reads_wide(void) { return 0; }

static inline const uint8_t *behind_few(const uint8_t few[16], const uint8_t *at,
                                        const uint8_t *end) {
    (void)few, (void)end;
    return at;
}

static inline uint32_t strange_of(const uint8_t known[16], uint32_t beyond, const uint8_t *from) {
    (void)known, (void)beyond, (void)from;
    return 0;
}

#endif

#endif
