/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the coupled controls (lia, olia, balia, wvegas) share: a subflow's view of its siblings.
 *
 * The kernel's MPTCP runs one control per subflow and couples none. A control reaches the others
 * of its connection through the subflow's context. Siblings that are not established, or run
 * another control, do not count; a plain TCP socket is a connection of one subflow. The lab kernel
 * has one processor and does not preempt itself, so the list holds still while it is walked.
 */
#ifndef WEIR_COUPLED_H
#define WEIR_COUPLED_H

#include <linux/math64.h>
#include <net/tcp.h>

#include "../../mptcp/protocol.h"

#define COUPLED_SCALE	22	/* rates are (segments << COUPLED_SCALE) per microsecond */

static inline u32 coupled_rtt_us(const struct sock *sk)
{
	return max(tcp_sk(sk)->srtt_us >> 3, 1u);
}

/* x = w / rtt. 2^22 keeps 4 digits at 20 segments and 40 ms, and a square below 2^64 up to
 * 10,000 segments at 10 us.
 */
static inline u64 coupled_rate(const struct sock *sk)
{
	return div_u64((u64)tcp_snd_cwnd(tcp_sk(sk)) << COUPLED_SCALE, coupled_rtt_us(sk));
}

static inline bool coupled_counts(const struct sock *sk, const struct sock *sibling)
{
	return sibling->sk_state == TCP_ESTABLISHED &&
	       inet_csk(sibling)->icsk_ca_ops == inet_csk(sk)->icsk_ca_ops &&
	       tcp_sk(sibling)->srtt_us;
}

/* The first subflow's list node, or NULL where `sk` is alone. */
static inline struct mptcp_sock *coupled_connection(const struct sock *sk)
{
	const struct mptcp_subflow_context *subflow;

	if (!sk_is_mptcp(sk))
		return NULL;
	subflow = mptcp_subflow_ctx(sk);
	return subflow && subflow->conn ? mptcp_sk(subflow->conn) : NULL;
}

/* Calls `see` for `sk` and each sibling that counts, `sk` first. */
static inline void coupled_for_each(struct sock *sk, void (*see)(struct sock *sk, void *data),
				    void *data)
{
	struct mptcp_sock *msk = coupled_connection(sk);
	struct mptcp_subflow_context *subflow;

	see(sk, data);
	if (!msk)
		return;
	mptcp_for_each_subflow(msk, subflow) {
		struct sock *sibling = mptcp_subflow_tcp_sock(subflow);

		if (sibling && sibling != sk && coupled_counts(sk, sibling))
			see(sibling, data);
	}
}

/* Adds `step` (segments << 32, may be negative) to a remainder, and its whole segments to cwnd,
 * which stays at least `least`.
 */
static inline void coupled_grow(struct tcp_sock *tp, s64 *remainder, s64 step, u32 least)
{
	s64 cwnd;

	*remainder += step;
	cwnd = (s64)tcp_snd_cwnd(tp) + (*remainder >> 32);
	*remainder &= 0xffffffffll;
	cwnd = clamp_t(s64, cwnd, least, tp->snd_cwnd_clamp);
	tcp_snd_cwnd_set(tp, cwnd);
}

#endif
