/* SPDX-License-Identifier: GPL-2.0 */
/* What aimd keeps per socket: its two parameters, and the deadlines of what it sends. */
#ifndef WEIR_AIMD_H
#define WEIR_AIMD_H

#include <net/tcp.h>

#include "deadline.h"

#define NEW_RENO_ALPHA	1000u	/* in 1/1000 */
#define NEW_RENO_BETA	500u

struct aimd {
	s64	remainder;	/* of cwnd, segments << 32 */
	u32	alpha_milli;	/* RTTs per segment of growth, 1/1000 */
	u32	beta_milli;	/* share of cwnd that a loss takes, 1/1000 */
	u32	loss_cwnd;	/* the window that the last loss met */
	struct deadline_stream stream;
};

/* aimd_request.c: reads what a request asks of the transport. */
int aimd_watch_requests(const struct tcp_congestion_ops *ops);

#endif
