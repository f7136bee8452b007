/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Deadline-aware congestion control (Claeys et al., "Deadline-aware TCP Congestion Control for
 * Video Streaming Services", 2016): how a stream's margin becomes a parameter of AIMD. Pure
 * arithmetic on 64-bit numbers, so that it can be tried outside the kernel.
 *
 * Byte b of a stream of rate r is due at d(b) = d_0 + 8 b / r. With b the next byte to send, the
 * margin is m = d(b) - t. Every reaction time t_r, T being the throughput of the last t_r:
 *
 *	m < m_l		as aggressive as may be
 *	m > m_u		as meek as may be
 *	else, with rt = d_e - t and rb = (d_e - d(b)) r,
 *	T > T_u = rb / (rt - m_u)	the margin outgrows m_u before the end: be meeker
 *	T < T_l = rb / (rt - m_l)	it shrinks below m_l: be more aggressive
 *
 * in both cases by room * t_r / C, where C = gap * r / |r - T| is the time until the bound is met,
 * gap the way to the bound and room what the parameter can still move that way, rounded to the
 * parameter's granularity. The paper's listing prints the two rooms the wrong way round; its prose
 * and its example (figure 5) say what stands here.
 *
 * Where the paper is silent: rt <= m_u makes T_u infinite; gap = 0 means the whole room; halves
 * round away from zero; a stream that missed a deadline (m < 0) is New Reno from then on.
 */
#ifndef WEIR_DEADLINE_H
#define WEIR_DEADLINE_H

#ifdef __KERNEL__
#include <linux/math64.h>
#include <linux/types.h>
#else
#include <stdint.h>
#include <stdbool.h>
typedef int64_t s64;
typedef uint64_t u64;
typedef uint32_t u32;
#define div64_s64(a, b) ((a) / (b))
#endif

#define DEADLINE_REACTION_US	1000000ll	/* t_r */

/* A parameter's range: small values are aggressive, large ones meek. In 1/1000. */
struct deadline_range {
	s64	aggressive, meek, granule;
};

static const struct deadline_range deadline_alpha = { 100, 4000, 100 };
static const struct deadline_range deadline_beta = { 100, 950, 50 };

/* A stream with deadlines; no rate: the transport was told none. Times in us on one clock. */
struct deadline_stream {
	s64	begin_us, end_us;	/* d_0, d_e */
	s64	decided_us;		/* when the parameter was last looked at */
	u64	rate_bps;
	u64	sent_bytes;		/* b at the last decision */
	u32	lower_ms, upper_ms;	/* m_l, m_u */
	u32	acked_seq, sent_seq;	/* snd_una, snd_nxt at the last decision */
	bool	moves_beta;		/* beta moves, else alpha */
	bool	missed;
};

static inline s64 deadline_of_byte_us(const struct deadline_stream *stream, u64 byte)
{
	return stream->begin_us + div64_s64((s64)byte * 8 * 1000000, stream->rate_bps);
}

static inline s64 deadline_clamp(s64 value, const struct deadline_range *range)
{
	return value < range->aggressive ? range->aggressive :
	       value > range->meek ? range->meek : value;
}

/* value + room * t_r * |r - T| / (gap * r), rounded to the granule. */
static inline s64 deadline_step(s64 value, s64 room, s64 gap_us, s64 rate_bps, s64 off_bps,
				const struct deadline_range *range)
{
	s64 step = room, granules, half;

	if (off_bps < 0)
		off_bps = -off_bps;
	if (gap_us > 0)	/* in kbit/s: 4 s of room * 10^6 us * 10^7 kbit/s stay below 2^63 */
		step = div64_s64(room * DEADLINE_REACTION_US,
				 div64_s64(gap_us * (rate_bps / 1000), off_bps / 1000 ?: 1) ?: 1);
	half = step < 0 ? -range->granule / 2 : range->granule / 2;
	granules = div64_s64(step + half, range->granule);
	return deadline_clamp(value + granules * range->granule, range);
}

/* The parameter from now on, 1/1000. byte: the next to send; got_bps: T. */
static inline s64 deadline_decide(const struct deadline_stream *stream, s64 now_us, u64 byte,
				  s64 got_bps, s64 value, const struct deadline_range *range)
{
	s64 rate_bps = stream->rate_bps, due_us = deadline_of_byte_us(stream, byte);
	s64 lower_us = stream->lower_ms * 1000ll, upper_us = stream->upper_ms * 1000ll;
	s64 margin_us = due_us - now_us, left_us = stream->end_us - now_us;
	s64 left_kbits = div64_s64((stream->end_us - due_us) * (rate_bps / 1000), 1000000);

	if (margin_us < lower_us)
		return range->aggressive;
	if (margin_us > upper_us)
		return range->meek;
	/* T > rb / (rt - m_u), without the division */
	if (left_us > upper_us &&
	    got_bps / 1000 * (left_us - upper_us) > left_kbits * 1000000)
		return deadline_step(value, range->meek - value, upper_us - margin_us, rate_bps,
				     rate_bps - got_bps, range);
	if (left_us > lower_us &&
	    got_bps / 1000 * (left_us - lower_us) < left_kbits * 1000000)
		return deadline_step(value, range->aggressive - value, margin_us - lower_us,
				     rate_bps, rate_bps - got_bps, range);
	return value;
}

#endif
