// Media Source Extensions (w3.org/TR/media-source-2): what was appended, by its time. Nothing is
// decoded.
'use strict';
const { TimeRanges, add, cut } = require('./ranges.cjs');
const { times } = require('./fmp4.cjs');

class SourceBuffer extends EventTarget {
  constructor(source) {
    super();
    this.source = source;
    this.ranges = [];
    this.updating = false;
    this.timestampOffset = 0;
    this.appendWindowStart = 0;
    this.appendWindowEnd = Infinity;
    this.mode = 'segments';
  }

  get buffered() {
    return new TimeRanges(this.ranges);
  }

  changeType() {}

  abort() {
    this.updating = false;
  }

  appendBuffer(data) {
    this._update(() => {
      const { timescale, start, duration } = times(data.buffer ?? data);
      if (timescale) this.timescale = timescale;
      if (start === undefined) return;
      const from = start / this.timescale + this.timestampOffset;
      this.ranges = add(this.ranges, from, from + duration / this.timescale);
    });
  }

  remove(start, end) {
    this._update(() => {
      this.ranges = cut(this.ranges, start, end);
    });
  }

  _update(change) {
    if (this.updating) throw new DOMException('updating', 'InvalidStateError');
    this.updating = true;
    this.dispatchEvent(new Event('updatestart'));
    setImmediate(() => {
      if (!this.updating) return;
      change();
      this.updating = false;
      this.dispatchEvent(new Event('update'));
      this.dispatchEvent(new Event('updateend'));
      if (this.timescale) this.source.video.hasMetadata();
      this.source.video.bufferedChanged();
    });
  }
}

class MediaSource extends EventTarget {
  static isTypeSupported() {
    return true;
  }

  constructor() {
    super();
    this.readyState = 'closed';
    this.sourceBuffers = [];
    this.seconds = NaN;
  }

  get activeSourceBuffers() {
    return this.sourceBuffers;
  }

  get duration() {
    return this.seconds;
  }

  set duration(seconds) {
    this.seconds = seconds;
    this.video.durationChanged();
  }

  addSourceBuffer() {
    const buffer = new SourceBuffer(this);
    this.sourceBuffers.push(buffer);
    return buffer;
  }

  removeSourceBuffer(buffer) {
    this.sourceBuffers = this.sourceBuffers.filter((one) => one !== buffer);
  }

  endOfStream() {
    this.readyState = 'ended';
    this.dispatchEvent(new Event('sourceended'));
    this.video.bufferedChanged();
  }

  // A video element has been given it.
  attach(video) {
    this.video = video;
    this.readyState = 'open';
    this.dispatchEvent(new Event('sourceopen'));
  }
}

module.exports = { MediaSource, SourceBuffer };
