/* SPDX-License-Identifier: GPL-2.0 */
/* A session whose receive window is tuned: rwtm.c has the whole. */
#ifndef WEIR_RWTM_H
#define WEIR_RWTM_H

#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/types.h>

#define RWTM_STAMPS	256	/* TSvals in flight per direction; a power of two */
#define RWTM_NO_SCALE	0xff

struct rwtm_half {
	struct { u32 tsval; u64 sent_ns; } stamps[RWTM_STAMPS];
	u32 last_tsval;
	u64 sum_ns;		/* of the samples since the last request */
	u32 samples;
	u64 rtt_ns;		/* what the window is computed with */
};

struct rwtm_session {
	struct list_head list;
	__be32 addr;
	__be16 port;
	u8 scale;
	u64 rate_bps;
	u32 window;		/* bytes; 0: untouched */
	u64 tuned;		/* ACKs whose window was lowered */
	u64 syn_ns, synack_ns;
	struct rwtm_half server, client;
};

/* Takes the RTT seen since the last request, and sets the window by it. */
void rwtm_start_on_period(struct rwtm_session *s);

/* A segment's headers are linear and writable; payload in bytes, now in ns. */
void rwtm_from_client(struct rwtm_session *s, struct sk_buff *skb, struct tcphdr *th,
		      u32 payload, u64 now);
void rwtm_from_server(struct rwtm_session *s, const struct tcphdr *th, u64 now);

#endif
