/* SPDX-License-Identifier: GPL-2.0 */
/* What the recorder writes, and what its parts share: recorder.c has the whole. */
#ifndef WEIR_RECORDER_H
#define WEIR_RECORDER_H

#include <linux/build_bug.h>
#include <linux/types.h>

enum {
	REC_ACK = 1, REC_RETRANS = 2, REC_PACKET = 3, REC_FLOW = 4,
	REC_SENDER = 5, REC_CROSSING = 6, REC_BIN = 7, REC_DEADLINE = 8,
};
enum { LEVEL_OFF = 0, LEVEL_FULL = 1, LEVEL_SECONDS = 2 };
enum { FATE_SENT = 0, FATE_DROPPED = 1, FATE_QUEUED = 2 };

struct weir_record {
	u64 t_ns;		/* CLOCK_MONOTONIC of the guest; SENDER, CROSSING, BIN: its start */
	u8 kind;
	u8 state;		/* ACK, SENDER: congestion state; PACKET: fate; else: device */
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
			u8 ecn;				/* of its IP header as it came */
			u8 marked;			/* it left with CE, and came without */
			u8 spare[6];
		} packet;
		struct {
			char congestion_control[16];
			u32 mss;
			u32 ssthresh;			/* segments, as its first ACK found it */
			u8 ecn;				/* negotiated: 0 nothing, 1 RFC 3168, 2 AccECN */
			u8 spare[7];
		} flow;
		struct {
			u64 srtt_sum_us;		/* over the ACKs counted */
			u32 acks;			/* with a round trip known */
			u32 acked;			/* bytes, newly */
			u32 cwnd, ssthresh;		/* segments, at the last ACK */
			u32 srtt_min_us;
			u32 retransmits;		/* segments */
		} sender;
		struct {
			u64 delay_sum_ns;		/* of packets sent */
			u64 backlog_sum;		/* found by packets that have left */
			u32 sent_bytes, sent, dropped;
			u32 payload;			/* bytes, whatever became of them */
		} crossing;
		struct {
			u64 busy_ns;
			u32 busy_bytes, busy_packets;
			u32 sent_bytes, sent, dropped;
			u32 backlog_max;
		} bin;
		struct {
			s64 margin_us;
			u64 throughput_bps;
			u32 alpha_milli, beta_milli;	/* from now on, 1/1000 */
			u32 spare[2];
		} deadline;
	};
};
static_assert(sizeof(struct weir_record) == 48);

/* The guest's monotonic time, read at no cost of virtual time. */
u64 recorder_now_ns(void);

/* A record to fill in; its bytes are those of an older one. */
struct weir_record *recorder_append(void);

int recorder_watch_tcp(bool seconds);
int recorder_watch_queue(bool seconds);
int recorder_watch_deadlines(void);

/* In a fork of a lab kernel that had no file: as the parameters do. */
int recorder_begin(char *path, u8 of_tcp, u8 of_queue, u64 since_ns, u64 to_ns);

/* Write what is not written yet, once nothing goes on any more. */
void recorder_end(void);

/* Whether a moment is within the experiment. */
bool recorder_within(u64 ns);

int recorder_start_seconds(void);

/*
 * The row of the second that now_ns is in, made with zeros where there is none yet: a flow's, by
 * its receiver, as a SENDER or at a device, as a CROSSING.
 */
struct weir_record *recorder_second(u64 now_ns, u8 kind, u8 device, __be32 addr, __be16 port);

/* A packet came to a device's queue, and found so many there. */
void recorder_bin_arrival(u64 now_ns, u8 device, u32 backlog);

/* And left it: `packet` is its PACKET record, complete. */
void recorder_bin_leave(const struct weir_record *packet);

/* Writes what is not written yet. */
void recorder_end_seconds(void);

/* Records what still waits in the bottleneck's queues. */
void recorder_end_queue(void);

#endif
