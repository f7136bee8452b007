// The globals that a page's script finds, as far as players look for them.
'use strict';
const { MediaSource, SourceBuffer } = require('./media_source.cjs');
const { Pool } = require('./pool.cjs');
const { HTMLVideoElement } = require('./video.cjs');
const { xmlHttpRequest } = require('./xhr.cjs');
const objectUrls = require('./object_urls.cjs');
const resourceTiming = require('./resource_timing.cjs');
const timers = require('./timers.cjs');

const DEAF = { addEventListener() {}, removeEventListener() {} };

const element = (name) =>
  name === 'video' ? new HTMLVideoElement() : { style: {}, setAttribute() {}, ...DEAF };

const DOCUMENT = {
  hidden: false,
  fonts: { add() {}, delete() {} },
  documentElement: {},
  ...DEAF,
  createElement: element,
  getElementById: () => null,
  getElementsByTagName: () => [],
  createEvent: () => ({
    initEvent(type) {
      this.type = type;
    },
  }),
};

// All can be decoded, for nothing is.
const decodingInfo = async () => ({ supported: true, smooth: true, powerEfficient: true });

const NAVIGATOR = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
  vendor: 'Google Inc.',
  platform: 'Linux x86_64',
  language: 'en',
  languages: ['en'],
  onLine: true,
  mediaCapabilities: { decodingInfo },
};

// server: the URL that the page came from. native: see connection.cjs. watch: see xhr.cjs. streams:
// whether there is fetch, which some players take for all that they ask for where it is.
function install(server, native, watch, streams = false) {
  const pool = new Pool(server.hostname, Number(server.port || 80), native);
  const page = { pool, watch };
  const globals = {
    window: globalThis,
    self: globalThis,
    location: new URL('/index.html', server),
    navigator: NAVIGATOR,
    document: DOCUMENT,
    localStorage: undefined,
    fetch: undefined, // Node's own would leave the pool's connections aside
    ...(streams ? require('./fetch.cjs').globals(page) : {}),
    ...DEAF,
    matchMedia: () => ({ matches: false, ...DEAF }),
    screen: { width: 1920, height: 1080 },
    devicePixelRatio: 1,
    TextTrackCue: class {},
    VTTCue: class {},
    getComputedStyle: () => ({}),
    XMLHttpRequest: xmlHttpRequest(page),
    HTMLMediaElement: HTMLVideoElement,
    HTMLVideoElement,
    MediaSource,
    SourceBuffer,
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  objectUrls.install();
  resourceTiming.install();
  timers.install();
}

module.exports = { install };
