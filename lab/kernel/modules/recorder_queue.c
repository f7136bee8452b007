// SPDX-License-Identifier: GPL-2.0
/* The recorder's PACKET records, and by seconds what its CROSSING and BIN records sum up. */
#include <linux/hashtable.h>
#include <linux/ip.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/vmalloc.h>
#include <net/inet_ecn.h>
#include <net/sch_generic.h>
#include <net/tcp.h>
#include <trace/events/net.h>
#include <trace/events/qdisc.h>
#include <trace/events/skb.h>

#include "recorder.h"

#define DEVICE_PREFIX	"neck"
#define MAX_WAITING	(1 << 14)	/* packets in all bottleneck queues; more go unrecorded */

struct waiting {
	struct hlist_node node;
	const struct sk_buff *skb;
	struct weir_record record;
};

static DEFINE_HASHTABLE(waiting_packets, 12);
static struct waiting *waiting_pool;
static HLIST_HEAD(waiting_free);
static u32 backlog[10];		/* by digit of the device's name */
static bool by_seconds;

static bool is_bottleneck(const struct net_device *dev)
{
	return dev && !strncmp(dev->name, DEVICE_PREFIX, sizeof(DEVICE_PREFIX) - 1);
}

static unsigned int device_number(const struct net_device *dev)
{
	return (dev->name[sizeof(DEVICE_PREFIX) - 1] - '0') % ARRAY_SIZE(backlog);
}

static u8 ecn_of(const struct sk_buff *skb)
{
	const struct iphdr *ip = skb_header_pointer(skb, skb_network_offset(skb),
						    sizeof(*ip), &(struct iphdr){});

	return ip && skb->protocol == htons(ETH_P_IP) ? ip->tos & INET_ECN_MASK : INET_ECN_NOT_ECT;
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
	r->packet.ecn = ip->tos & INET_ECN_MASK;
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
	w->record.packet.arrival_ns = recorder_now_ns();
	w->record.packet.size = skb->len;
	w->record.packet.device = device_number(skb->dev);
	w->record.packet.backlog = backlog[w->record.packet.device]++;
	describe_packet(&w->record, skb);
	if (by_seconds)
		recorder_bin_arrival(w->record.packet.arrival_ns, w->record.packet.device,
				     w->record.packet.backlog);
	hash_add(waiting_packets, &w->node, (unsigned long)skb);
}

static void count(const struct weir_record *packet)
{
	u64 arrival_ns = packet->packet.arrival_ns;
	struct weir_record *r;

	recorder_bin_leave(packet);
	if (!recorder_within(arrival_ns))
		return;
	r = recorder_second(packet->t_ns, REC_CROSSING, packet->packet.device, packet->addr,
			    packet->port);
	r->crossing.payload += packet->packet.payload;
	if (packet->state == FATE_QUEUED)
		return;
	r->crossing.backlog_sum += packet->packet.backlog;
	if (packet->state == FATE_DROPPED) {
		r->crossing.dropped++;
		return;
	}
	r->crossing.sent++;
	r->crossing.sent_bytes += packet->packet.size;
	r->crossing.delay_sum_ns += packet->t_ns - arrival_ns;
}

static void leave(const struct sk_buff *skb, u8 fate, u16 reason)
{
	struct waiting *w;

	hash_for_each_possible(waiting_packets, w, node, (unsigned long)skb) {
		if (w->skb != skb)
			continue;
		w->record.t_ns = recorder_now_ns();
		w->record.state = fate;
		w->record.packet.reason = reason;
		w->record.packet.marked = fate == FATE_SENT && ecn_of(skb) == INET_ECN_CE &&
					  w->record.packet.ecn != INET_ECN_CE;
		if (by_seconds)
			count(&w->record);
		else
			*recorder_append() = w->record;
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

void recorder_end_queue(void)
{
	struct hlist_node *next;
	struct waiting *w;
	int i;

	hash_for_each_safe(waiting_packets, i, next, w, node)
		leave(w->skb, FATE_QUEUED, 0);
}

int recorder_watch_queue(bool seconds)
{
	int i;

	by_seconds = seconds;
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
