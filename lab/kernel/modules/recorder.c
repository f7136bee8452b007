// SPDX-License-Identifier: GPL-2.0
/*
 * Recorder: what TCP senders and the bottleneck did, written straight to a host file.
 *
 * It listens to the kernel's own tracepoints and appends fixed 48-byte records
 * (struct weir_record; read by weir_lab/record.py) to a buffer that goes to the host
 * with the host's write(2). The guest makes no system call for it, and the clock is
 * read with interrupts off, where reading costs no virtual time: a run with the
 * recorder on is the same run as one with it off.
 *
 * Recorded:
 *   ACK     every segment that a sender on port 80 receives in ESTABLISHED, before it
 *           is processed (tcp:tcp_probe)
 *   FLOW    once per sender socket: which congestion control the kernel runs on it
 *   RETRANS every retransmitted segment (tcp:tcp_retransmit_skb)
 *   PACKET  every packet that met a device named neck*, when it left the queue, was
 *           dropped, or was still there at the end (net:net_dev_queue is the arrival,
 *           qdisc:qdisc_dequeue the departure, qdisc:qdisc_drop the drop on arrival;
 *           what a leaf like CoDel drops later shows in skb:kfree_skb only)
 *
 * Parameters (kernel command line):
 *   recorder.file=PATH   host path, relative to the kernel's working folder
 *   recorder.tcp=0|1     ACK, FLOW and RETRANS records
 *   recorder.queue=0|1   PACKET records
 */
#include <linux/hashtable.h>
#include <linux/init.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/reboot.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>
#include <net/sch_generic.h>
#include <net/tcp.h>
#include <trace/events/net.h>
#include <trace/events/qdisc.h>
#include <trace/events/skb.h>
#include <trace/events/tcp.h>

#include <os.h>

#define SENDER_PORT	80
#define BUFFER_RECORDS	(1 << 14)
#define DEVICE_PREFIX	"neck"
#define MAX_WAITING	(1 << 14)	/* packets in all bottleneck queues; more go unrecorded */
#define MAX_FLOWS	1024

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

static char *file;
module_param(file, charp, 0);
static bool tcp = true;
module_param(tcp, bool, 0);
static bool queue = true;
module_param(queue, bool, 0);

static struct weir_record *buffer;
static unsigned int buffered;
static int host_fd = -1;

struct waiting {
	struct hlist_node node;
	const struct sk_buff *skb;
	struct weir_record record;
};

static DEFINE_HASHTABLE(waiting_packets, 12);
static struct waiting *waiting_pool;
static HLIST_HEAD(waiting_free);
static u32 backlog[10];		/* by digit of the device's name */

static struct { __be32 addr; __be16 port; } flows[MAX_FLOWS];
static unsigned int flow_count;

static u64 now_ns(void)
{
	unsigned long flags;
	u64 now;

	local_irq_save(flags);	/* with interrupts on, reading advances virtual time */
	now = ktime_get_mono_fast_ns();
	local_irq_restore(flags);
	return now;
}

static void flush(void)
{
	const char *from = (const char *)buffer;
	size_t left = buffered * sizeof(*buffer);

	while (left) {
		int written = os_write_file(host_fd, from, left);

		if (written == -EINTR)
			continue;
		if (written <= 0) {
			pr_err("weir_recorder: cannot write %s: error %d\n", file, -written);
			break;
		}
		from += written;
		left -= written;
	}
	buffered = 0;
}

static struct weir_record *append(void)
{
	if (buffered == BUFFER_RECORDS)
		flush();
	return &buffer[buffered++];
}

static void describe_flow(const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);
	struct weir_record *r;
	unsigned int i;

	for (i = flow_count; i-- > 0;)
		if (flows[i].port == inet->inet_dport && flows[i].addr == inet->inet_daddr)
			return;
	if (flow_count == MAX_FLOWS)
		return;
	flows[flow_count].addr = inet->inet_daddr;
	flows[flow_count++].port = inet->inet_dport;

	r = append();
	memset(r, 0, sizeof(*r));
	r->t_ns = now_ns();
	r->kind = REC_FLOW;
	r->port = inet->inet_dport;
	r->addr = inet->inet_daddr;
	strscpy(r->flow.congestion_control, inet_csk(sk)->icsk_ca_ops->name,
		sizeof(r->flow.congestion_control));
	r->flow.mss = tcp_sk(sk)->mss_cache;
}

static bool is_sender(const struct sock *sk)
{
	return sk->sk_family == AF_INET && inet_sk(sk)->inet_sport == htons(SENDER_PORT);
}

static void on_ack(void *data, struct sock *sk, const struct sk_buff *skb)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct weir_record *r;

	if (!is_sender(sk))
		return;
	describe_flow(sk);
	r = append();
	r->t_ns = now_ns();
	r->kind = REC_ACK;
	r->state = inet_csk(sk)->icsk_ca_state;
	r->port = inet_sk(sk)->inet_dport;
	r->addr = inet_sk(sk)->inet_daddr;
	r->ack.cwnd = tcp_snd_cwnd(tp);
	r->ack.ssthresh = tcp_current_ssthresh(sk);
	r->ack.in_flight = tcp_packets_in_flight(tp);
	r->ack.srtt_us = tp->srtt_us >> 3;
	r->ack.rto_us = jiffies_to_usecs(inet_csk(sk)->icsk_rto);
	r->ack.rwnd = tp->snd_wnd;
	r->ack.una = tp->snd_una;
	r->ack.delivered = tp->delivered;
}

static void on_retransmit(void *data, const struct sock *sk, const struct sk_buff *skb, int err)
{
	struct weir_record *r;

	if (!is_sender(sk))
		return;
	r = append();
	memset(r, 0, sizeof(*r));
	r->t_ns = now_ns();
	r->kind = REC_RETRANS;
	r->port = inet_sk(sk)->inet_dport;
	r->addr = inet_sk(sk)->inet_daddr;
	r->retrans.seq = TCP_SKB_CB(skb)->seq;
	r->retrans.len = TCP_SKB_CB(skb)->end_seq - TCP_SKB_CB(skb)->seq;
}

static bool is_bottleneck(const struct net_device *dev)
{
	return dev && !strncmp(dev->name, DEVICE_PREFIX, sizeof(DEVICE_PREFIX) - 1);
}

static unsigned int device_number(const struct net_device *dev)
{
	return (dev->name[sizeof(DEVICE_PREFIX) - 1] - '0') % ARRAY_SIZE(backlog);
}

static void describe_packet(struct weir_record *r, const struct sk_buff *skb)
{
	const struct iphdr *ip = skb_header_pointer(skb, skb_network_offset(skb),
						    sizeof(*ip), &(struct iphdr){});
	const struct tcphdr *th;
	int tcp_offset;

	if (!ip || skb->protocol != htons(ETH_P_IP))
		return;
	r->addr = ip->daddr;
	if (ip->protocol != IPPROTO_TCP)
		return;
	tcp_offset = skb_network_offset(skb) + ip->ihl * 4;
	th = skb_header_pointer(skb, tcp_offset, sizeof(*th), &(struct tcphdr){});
	if (!th)
		return;
	r->port = th->dest;
	r->packet.seq = ntohl(th->seq);
	r->packet.payload = ntohs(ip->tot_len) - ip->ihl * 4 - th->doff * 4;
	r->packet.flags = tcp_flag_byte(th);
}

static void on_arrival(void *data, struct sk_buff *skb)
{
	struct waiting *w;

	if (!is_bottleneck(skb->dev) || hlist_empty(&waiting_free))
		return;
	w = hlist_entry(waiting_free.first, struct waiting, node);
	hlist_del(&w->node);
	w->skb = skb;
	memset(&w->record, 0, sizeof(w->record));
	w->record.kind = REC_PACKET;
	w->record.packet.arrival_ns = now_ns();
	w->record.packet.size = skb->len;
	w->record.packet.device = device_number(skb->dev);
	w->record.packet.backlog = backlog[w->record.packet.device]++;
	describe_packet(&w->record, skb);
	hash_add(waiting_packets, &w->node, (unsigned long)skb);
}

static void leave(const struct sk_buff *skb, u8 fate, u16 reason)
{
	struct waiting *w;

	hash_for_each_possible(waiting_packets, w, node, (unsigned long)skb) {
		if (w->skb != skb)
			continue;
		w->record.t_ns = now_ns();
		w->record.state = fate;
		w->record.packet.reason = reason;
		*append() = w->record;
		backlog[w->record.packet.device]--;
		hash_del(&w->node);
		hlist_add_head(&w->node, &waiting_free);
		return;
	}
}

static void on_departure(void *data, struct Qdisc *qdisc, const struct netdev_queue *txq,
			 int packets, struct sk_buff *skb)
{
	if (!skb || !is_bottleneck(txq->dev))
		return;
	for (; skb; skb = skb->next)
		leave(skb, FATE_SENT, 0);
}

static void on_drop(void *data, struct Qdisc *qdisc, const struct netdev_queue *txq,
		    struct net_device *dev, struct sk_buff *skb, enum qdisc_drop_reason reason)
{
	if (is_bottleneck(txq ? txq->dev : dev))
		leave(skb, FATE_DROPPED, reason - __QDISC_DROP_REASON);
}

static void on_free(void *data, struct sk_buff *skb, void *location,
		    enum skb_drop_reason reason, const struct sock *rx_sk)
{
	bool named = (reason & SKB_DROP_REASON_SUBSYS_MASK) == __QDISC_DROP_REASON;

	leave(skb, FATE_DROPPED, named ? reason - __QDISC_DROP_REASON : 0);
}

static int on_halt(struct notifier_block *block, unsigned long event, void *unused)
{
	struct hlist_node *next;
	struct waiting *w;
	int i;

	hash_for_each_safe(waiting_packets, i, next, w, node)
		leave(w->skb, FATE_QUEUED, 0);
	flush();
	return NOTIFY_DONE;
}

static struct notifier_block halt_notifier = { .notifier_call = on_halt };

static int __init prepare_queue_records(void)
{
	int i;

	waiting_pool = vcalloc(MAX_WAITING, sizeof(*waiting_pool));
	if (!waiting_pool)
		return -ENOMEM;
	for (i = MAX_WAITING; i-- > 0;)
		hlist_add_head(&waiting_pool[i].node, &waiting_free);
	return register_trace_net_dev_queue(on_arrival, NULL) ?:
	       register_trace_qdisc_dequeue(on_departure, NULL) ?:
	       register_trace_qdisc_drop(on_drop, NULL) ?:
	       register_trace_kfree_skb(on_free, NULL);
}

static int __init recorder_init(void)
{
	struct openflags flags = { .w = 1, .c = 1, .t = 1 };
	int err = 0;

	if (!file || !(tcp || queue))
		return 0;
	buffer = vmalloc_array(BUFFER_RECORDS, sizeof(*buffer));
	if (!buffer)
		return -ENOMEM;
	host_fd = os_open_file(file, flags, 0644);
	if (host_fd < 0) {
		pr_err("weir_recorder: cannot open %s: error %d\n", file, -host_fd);
		return host_fd;
	}
	if (tcp)
		err = register_trace_tcp_probe(on_ack, NULL) ?:
		      register_trace_tcp_retransmit_skb(on_retransmit, NULL);
	if (!err && queue)
		err = prepare_queue_records();
	return err ?: register_reboot_notifier(&halt_notifier);
}
late_initcall(recorder_init);
