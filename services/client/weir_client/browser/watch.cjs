// A row for each request of a segment, as docs/outside-players.md has them.
'use strict';
const { content, since } = require('./contract.cjs');
const { add, endOf } = require('./ranges.cjs');

const SEGMENT = /^\/dash\/(\d+)\/(\d+)\.m4s$/; // as weir_server.mpd names them
const WHOLE = 206; // a segment that is a file of its own comes whole with 200

class Watch {
  // estimateBps: what the player expects of the network now, or NaN.
  constructor(video, estimateBps) {
    Object.assign(this, { video, estimateBps, rows: [], stalledS: 0 });
    this.open = new Map();
  }

  asked(request) {
    const found = SEGMENT.exec(request.url.pathname);
    if (!found) return;
    this.open.set(request, {
      segment: Number(found[2]),
      level: Number(found[1]),
      buffer_before_s: this.video.aheadS,
      estimate_bps: this.estimateBps(),
    });
  }

  ended(request) {
    const row = this.open.get(request);
    if (!row) return;
    this.open.delete(request);
    const { video } = this;
    const whole = request.status === 200;
    this.rows.push({
      ...row,
      size_bytes: request.exchange.received,
      request_s: since(request.requestStart),
      first_byte_s: request.firstByte === undefined ? null : since(request.firstByte),
      last_byte_s: since(request.lastByte),
      status: whole ? WHOLE : request.status,
      connection: request.exchange.connection?.port ?? 0,
      buffer_after_s: whole ? this.aheadWith(row.segment) : video.aheadS,
      stall_s: video.stalledS - this.stalledS,
    });
    this.stalledS = video.stalledS;
  }

  // Media ahead once this segment is appended, which may replace one of another level.
  aheadWith(segment) {
    const { currentTime, ranges } = this.video;
    const start = segment * content.segment_s;
    const end = endOf(add(ranges, start, start + content.segment_s), currentTime);
    return end === null ? 0 : end - currentTime;
  }

  // All rows by the time of their requests; what is still open has broken off.
  finish() {
    for (const request of [...this.open.keys()]) {
      request.lastByte = performance.now();
      request.status = 0;
      this.ended(request);
    }
    return this.rows.sort((a, b) => a.request_s - b.request_s);
  }
}

module.exports = { Watch };
