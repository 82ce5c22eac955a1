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

/* The first octet from `at` on that is none of a few, or the end, which it is before; there are
   WIDTH octets before the end, so that the last of them are read together instead of what is behind.
   Octets beyond ASCII are none of them. */
FOR_WIDE static inline const uint8_t *behind_few(const uint8_t few[16], const uint8_t *at,
                                                 const uint8_t *end) {
    const __m128i bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i bit = _mm256_broadcastsi128_si256(bits), low = _mm256_set1_epi8(15);
    const __m256i own = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)few));
    do {
        const uint8_t *from = end - at < WIDTH ? end - WIDTH : at;
        __m256i octets = _mm256_loadu_si256((const __m256i *)from);
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(octets, 4), low);
        __m256i common = _mm256_and_si256(_mm256_shuffle_epi8(own, octets),
                                          _mm256_shuffle_epi8(bit, high));
        __m256i none = _mm256_cmpeq_epi8(common, _mm256_setzero_si256());
        uint32_t others = (uint32_t)_mm256_movemask_epi8(none) >> (at - from);
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

#endif

#endif
