// SPDX-License-Identifier: GPL-2.0
/*
 * What an HTTP request asks of the transport that answers it, for sockets of aimd:
 *
 *	Weir-AIMD: alpha=0.5 beta=0.3
 *	Weir-Deadline: in=15 length=600 rate=3000000 lower=5 upper=20 parameter=alpha
 *
 * alpha in RTTs per segment, beta as a share. `in` is when the first byte of the response is due
 * and `length` how long after it the last is, in seconds from the arrival of the request, so that
 * the two hosts need no common clock; rate in bit/s; lower and upper are the margin's bounds in
 * seconds. Numbers have up to three decimals. The web server passes over both headers.
 *
 * The tracepoint tcp_probe hands over each received segment with its socket, before TCP has
 * processed it. A header must come whole in the segment that carries the request's first line, as
 * it does from the lab's own clients; what does not parse is passed over.
 */
#include <linux/module.h>
#include <trace/events/tcp.h>

#include "aimd.h"

#define LONGEST_REQUEST	2048

static const struct tcp_congestion_ops *watched;

/* `name=1.25` within [text, end) in 1/1000, or -1. */
static s64 value_milli(const char *text, const char *end, const char *name)
{
	size_t length = strlen(name);
	u32 decimals = 1000;
	bool point = false;
	s64 value = 0;

	for (; text + length < end; text++)
		if (text[-1] == ' ' && !strncmp(text, name, length) && text[length] == '=')
			break;
	text += length + 1;
	if (text >= end || *text < '0' || *text > '9')
		return -1;
	for (; text < end && value < 1ll << 50; text++) {
		if (*text == '.' && !point) {
			point = true;
		} else if (*text >= '0' && *text <= '9' && decimals > (point ? 1 : 0)) {
			value = value * 10 + *text - '0';
			decimals /= point ? 10 : 1;
		} else {
			break;
		}
	}
	return value * decimals;
}

static void set_parameters(struct aimd *ca, const char *text, const char *end)
{
	s64 alpha = value_milli(text, end, "alpha"), beta = value_milli(text, end, "beta");

	if (alpha >= 50 && alpha <= 1000000)
		ca->alpha_milli = alpha;
	if (beta >= 1 && beta <= 999)
		ca->beta_milli = beta;
}

static void set_deadlines(struct sock *sk, const char *text, const char *end)
{
	struct aimd *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	s64 in = value_milli(text, end, "in"), length = value_milli(text, end, "length");
	s64 rate = value_milli(text, end, "rate");
	s64 lower = value_milli(text, end, "lower"), upper = value_milli(text, end, "upper");
	s64 now_us = tcp_clock_us();

	if (in < 0 || length <= 0 || rate < 1000000 || lower < 0 || upper <= lower)
		return;
	ca->stream = (struct deadline_stream){
		.begin_us	= now_us + in * 1000,
		.end_us		= now_us + (in + length) * 1000,
		.decided_us	= now_us,
		.rate_bps	= rate / 1000,
		.lower_ms	= lower,
		.upper_ms	= upper,
		.acked_seq	= tp->snd_una,
		.sent_seq	= tp->snd_nxt,
		.moves_beta	= strnstr(text, "parameter=beta", end - text),
	};
	ca->alpha_milli = NEW_RENO_ALPHA;
	ca->beta_milli = NEW_RENO_BETA;
}

/* Apart, since the compiler clears the request at each call: segments of all sockets come here. */
static noinline void read_request(struct sock *sk, const struct sk_buff *skb, int at)
{
	char request[LONGEST_REQUEST + 1], *line, *end;
	int length = min_t(int, skb->len - at, LONGEST_REQUEST);

	if (skb_copy_bits(skb, at, request, length))
		return;
	request[length] = 0;
	for (line = request; (line = strstr(line, "\r\nWeir-")); line = end) {
		line += 2;
		end = strstr(line, "\r\n");
		if (!end)
			return;
		if (!strncmp(line, "Weir-AIMD:", 10))
			set_parameters(inet_csk_ca(sk), line + 10, end);
		else if (!strncmp(line, "Weir-Deadline:", 14))
			set_deadlines(sk, line + 14, end);
	}
}

static void on_segment(void *data, struct sock *sk, const struct sk_buff *skb)
{
	int at = tcp_hdrlen(skb);

	if (inet_csk(sk)->icsk_ca_ops == watched && skb->len > at)
		read_request(sk, skb, at);
}

int aimd_watch_requests(const struct tcp_congestion_ops *ops)
{
	watched = ops;
	return register_trace_tcp_probe(on_segment, NULL);
}
