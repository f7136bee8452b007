// HTMLVideoElement (html.spec.whatwg.org, section 4.8.11) that plays by the clock what is buffered.
'use strict';
const { TimeRanges, common, endOf } = require('./ranges.cjs');
const urls = require('./object_urls.cjs');

const HAVE = { NOTHING: 0, METADATA: 1, CURRENT: 2, FUTURE: 3, ENOUGH: 4 };
const TIMEUPDATE_MS = 250;
const FRAMES_PER_S = 25;
const AT_END_S = 0.1;
// What a browser does in a task of its own; Node's setTimeout would wait for a millisecond.
const task = setImmediate;

class HTMLVideoElement extends EventTarget {
  static HAVE_NOTHING = HAVE.NOTHING;
  static HAVE_METADATA = HAVE.METADATA;
  static HAVE_CURRENT_DATA = HAVE.CURRENT;
  static HAVE_FUTURE_DATA = HAVE.FUTURE;
  static HAVE_ENOUGH_DATA = HAVE.ENOUGH;

  constructor() {
    super();
    Object.assign(this, {
      nodeName: 'VIDEO', readyState: HAVE.NOTHING, paused: true, ended: false, seeking: false,
      autoplay: false, preload: 'auto', error: null, volume: 1, muted: true, style: {},
      clientWidth: 1920, clientHeight: 1080, videoWidth: 1920, videoHeight: 1080,
      textTracks: Object.assign(new EventTarget(), { length: 0 }),
    }); // prettier-ignore
    this.rate = 1;
    this.at = 0; // media time in s, at `since`
    this.since = 0;
    this.running = false;
    this.stalledMs = 0; // of stalls that are over
    this.stalledSince = null;
    this.onMotion = () => {}; // playback is elsewhere, or faster or slower than it was
  }

  get src() {
    return this.url ?? '';
  }

  set src(url) {
    this.url = url;
    this.media = urls.get(url);
    task(() => this.media?.attach(this));
  }

  load() {}
  // Of what may be put into it, a <source> alone says anything here.
  appendChild({ src }) {
    if (src) this.src = src;
  }
  removeChild() {}
  getElementsByTagName() {
    return [];
  }
  setAttribute() {}
  removeAttribute() {
    this.url = '';
  }
  getAttribute() {
    return null;
  }
  canPlayType() {
    return 'probably';
  }
  get duration() {
    return this.media ? this.media.duration : NaN;
  }
  get played() {
    return new TimeRanges(this.currentTime > 0 ? [[0, this.currentTime]] : []);
  }
  get seekable() {
    return new TimeRanges([[0, this.duration]]);
  }
  get buffered() {
    return new TimeRanges(this.ranges);
  }

  // What all source buffers hold.
  get ranges() {
    const each = this.media ? this.media.sourceBuffers.map((buffer) => buffer.ranges) : [];
    return each.length ? each.reduce(common) : [];
  }

  // Media in s that can be played on from here.
  get aheadS() {
    const end = endOf(this.ranges, this.currentTime);
    return end === null ? 0 : end - this.currentTime;
  }

  // Media s a second.
  get speed() {
    return this.running ? this.rate : 0;
  }

  // All stalls so far; the wait for the start is none.
  get stalledS() {
    const goesOn = this.stalledSince === null ? 0 : performance.now() - this.stalledSince;
    return (this.stalledMs + goesOn) / 1000;
  }

  get currentTime() {
    if (!this.running) return this.at;
    const played = ((performance.now() - this.since) / 1000) * this.rate;
    return Math.min(this.at + played, this.limit);
  }

  // Where nothing is there to be played on, who looks on waits as in any stall.
  set currentTime(seconds) {
    if (this.running) this.stalledSince = performance.now();
    this._stop();
    this.at = seconds;
    this.seeking = true;
    this.ended = false;
    this.onMotion();
    task(() => {
      this._tell('seeking');
      this.bufferedChanged();
    });
  }

  get playbackRate() {
    return this.rate;
  }

  set playbackRate(rate) {
    if (rate === this.rate) return;
    const running = this.running;
    this._stop();
    this.rate = rate;
    task(() => this._tell('ratechange'));
    if (running && endOf(this.ranges, this.at) === null) this._runDry();
    else if (running) this._start();
    this.onMotion();
  }

  getVideoPlaybackQuality() {
    const totalVideoFrames = Math.floor(this.currentTime * FRAMES_PER_S);
    return { droppedVideoFrames: 0, totalVideoFrames, creationTime: performance.now() };
  }

  play() {
    if (this.paused) {
      this.paused = false;
      this._tell('play');
      this.bufferedChanged();
      if (this.running) task(() => this._tell('playing'));
    }
    return Promise.resolve();
  }

  pause() {
    if (this.paused) return;
    this.paused = true;
    this._stop();
    this.onMotion();
    this._tell('timeupdate');
    this._tell('pause');
  }

  hasMetadata() {
    if (this.readyState !== HAVE.NOTHING) return;
    this.readyState = HAVE.METADATA;
    this._tell('durationchange');
    this._tell('loadedmetadata');
  }

  durationChanged() {
    if (this.readyState > HAVE.NOTHING) this._tell('durationchange');
  }

  bufferedChanged() {
    const at = this.currentTime;
    if (endOf(this.ranges, at) === null) {
      if (!this.running) this._endAt(at);
      return;
    }
    const before = this.readyState;
    this.hasMetadata();
    if (this.seeking) {
      this.seeking = false;
      this._tell('timeupdate');
      this._tell('seeked');
    }
    this.readyState = HAVE.ENOUGH;
    if (before < HAVE.CURRENT) this._tell('loadeddata');
    if (before < HAVE.FUTURE) this._tell('canplay');
    if (before < HAVE.ENOUGH) this._tell('canplaythrough');
    if (before < HAVE.FUTURE && !this.paused) this._tell('playing');
    this._tell('progress');
    this._start();
  }

  _start() {
    const at = this.currentTime;
    const end = endOf(this.ranges, at);
    if (this.paused || this.rate <= 0 || end === null) return;
    this.stalledMs = this.stalledS * 1000;
    this.stalledSince = null;
    Object.assign(this, { at, since: performance.now(), limit: end, running: true });
    clearTimeout(this.underflow);
    this.underflow = setTimeout(() => this._runDry(), ((end - at) / this.rate) * 1000);
    this.ticking ??= setInterval(() => this._tell('timeupdate'), TIMEUPDATE_MS);
    this.onMotion();
  }

  _stop() {
    this.at = this.currentTime;
    this.running = false;
    clearTimeout(this.underflow);
    clearInterval(this.ticking);
    this.ticking = null;
  }

  _runDry() {
    const at = this.currentTime;
    if (endOf(this.ranges, at) !== null) return void this._start();
    this._stop();
    this.onMotion();
    if (this._endAt(at)) return;
    this.readyState = HAVE.CURRENT;
    this.stalledSince = performance.now();
    this._tell('timeupdate');
    this._tell('waiting');
  }

  // Whether the film is over.
  _endAt(at) {
    if (this.media?.readyState !== 'ended' || at < this.duration - AT_END_S) return false;
    if (this.ended) return true;
    this.ended = true;
    this.paused = true;
    this._tell('timeupdate');
    this._tell('pause');
    this._tell('ended');
    return true;
  }

  _tell(type) {
    this.dispatchEvent(new Event(type));
  }
}

module.exports = { HTMLVideoElement };
