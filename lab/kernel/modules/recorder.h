/* SPDX-License-Identifier: GPL-2.0 */
/* What the recorder writes, and what its parts share: recorder.c has the whole. */
#ifndef WEIR_RECORDER_H
#define WEIR_RECORDER_H

#include <linux/build_bug.h>
#include <linux/types.h>

enum { REC_ACK = 1, REC_RETRANS = 2, REC_PACKET = 3, REC_FLOW = 4 };
enum { FATE_SENT = 0, FATE_DROPPED = 1, FATE_QUEUED = 2 };

struct weir_record {
	u64 t_ns;		/* CLOCK_MONOTONIC of the guest */
	u8 kind;
	u8 state;		/* ACK: congestion state; PACKET: fate */
	__be16 port;		/* the receiver's */
	__be32 addr;
	union {
		struct {
			u32 cwnd, ssthresh, in_flight;	/* segments */
			u32 srtt_us, rto_us;
			u32 rwnd;			/* bytes */
			u32 una;
			u32 delivered;			/* segments */
		} ack;
		struct {
			u32 seq, len;
		} retrans;
		struct {
			u64 arrival_ns;
			u32 seq, backlog;		/* packets found in the queue */
			u16 size, payload;		/* bytes */
			u16 reason;
			u8 device, flags;
			u8 spare[8];
		} packet;
		struct {
			char congestion_control[16];
			u32 mss;
			u32 spare[3];
		} flow;
	};
};
static_assert(sizeof(struct weir_record) == 48);

/* The guest's monotonic time, read at no cost of virtual time. */
u64 recorder_now_ns(void);

/* A record to fill in; its bytes are those of an older one. */
struct weir_record *recorder_append(void);

int recorder_watch_tcp(void);
int recorder_watch_queue(void);

/* Records what still waits in the bottleneck's queues. */
void recorder_end_queue(void);

#endif
