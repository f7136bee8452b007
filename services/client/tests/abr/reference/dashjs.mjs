// What dash.js's own rules decide on a given film and link; writes dashjs-5.2.1.json beside itself.
//
// The npm package carries its sources in dist/modern/umd/dash.mediaplayer.debug.js.map. Its
// ABRRulesCollection, ThroughputRule, BolaRule, InsufficientBufferRule, SwitchHistoryRule,
// SwitchRequestHistory, ThroughputController and ThroughputModel run as they are; stubs stand for
// the player around them: buffer, clock, ladder, and AbrController (its hysteresis between
// throughput and BOLA is five lines and repeated here). Run by hand, Node 20:
//   npm install --ignore-scripts dashjs@5.2.1 && node dashjs.mjs
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {createRequire} from 'node:module';
import {fileURLToPath, pathToFileURL} from 'node:url';

const VERSION = '5.2.1';
const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(process.cwd(), 'node_modules');
const dist = path.join(modules, 'dashjs/dist/modern/umd/dash.mediaplayer.debug.js.map');
const map = JSON.parse(fs.readFileSync(dist));
const top = fs.mkdtempSync(path.join(os.tmpdir(), 'dashjs-'));
fs.writeFileSync(path.join(top, 'package.json'), '{"type": "module"}');
fs.symlinkSync(modules, path.join(top, 'node_modules'));
map.sources.forEach((source, i) => {
    const name = source.split('/./src/')[1];
    if (!name || !map.sourcesContent[i]) { return; }
    const file = path.join(top, 'src', name);
    fs.mkdirSync(path.dirname(file), {recursive: true});
    fs.writeFileSync(file, map.sourcesContent[i]);
});
const load = async (name) => (await import(pathToFileURL(path.join(top, 'src', name)))).default;
globalThis.window = globalThis;

const FactoryMaker = await load('core/FactoryMaker.js');
const Settings = await load('core/Settings.js');
const EventBus = await load('core/EventBus.js');
const Events = await load('core/events/Events.js');
const MediaPlayerEvents = await load('streaming/MediaPlayerEvents.js');
const ABRRulesCollection = await load('streaming/rules/abr/ABRRulesCollection.js');
const ThroughputController = await load('streaming/controllers/ThroughputController.js');
const SwitchRequestHistory = await load('streaming/rules/SwitchRequestHistory.js');
const RulesContext = await load('streaming/rules/RulesContext.js');

const realNow = Date.now;
const SEGMENT_S = 2, BUFFER_S = 30, LATENCY_MS = 60;

// A link as [from ms, kbit/s]; the last rate stays.
const LINKS = {
    falling: [[0, 6000], [40000, 2500], [80000, 900], [120000, 400], [150000, 3000]],
    sawtooth: Array.from({length: 30}, (_, k) => [k * 9000, [800, 3300, 1500, 5200, 600][k % 5]]),
    steady: [[0, 1700]],  // BOLA waits rather than fill the buffer with a low level
    outage: [[0, 3500], [50000, 60], [75000, 3500], [130000, 1300]],
};
const LADDERS = {
    three: [1e6, 2e6, 4e6],
    eight: [350e3, 470e3, 630e3, 845e3, 1130e3, 1520e3, 2040e3, 2750e3],
};

function rateAt(link, ms) {
    return link.filter(([from]) => from <= ms).at(-1)[1];
}

function downloaded(link, ms, bits) {
    // kbit/s is bit/ms; whole milliseconds, as dash.js's clock has.
    while (bits > 0) { bits -= rateAt(link, ms); ms += 1; }
    return ms;
}

function session(rule, ladder, link, count) {
    const context = {};
    const settings = Settings(context).getInstance();
    const rules = settings.get().streaming.abr.rules;
    for (const name of Object.keys(rules)) {
        rules[name].active = ['throughputRule', 'bolaRule', 'insufficientBufferRule',
            'switchHistoryRule'].includes(name);
    }
    const eventBus = EventBus(context).getInstance();
    const streamInfo = {id: 's', manifestInfo: {isDynamic: false}};
    const mediaInfo = {id: 'm', type: 'video', streamInfo};
    const reps = ladder.map((bps, i) => ({
        id: String(i), absoluteIndex: i, bandwidth: bps, bitrateInKbit: bps / 1000, mediaInfo,
        fragmentDuration: SEGMENT_S,
    }));
    let now = 0, buffer = 0, playing = false, stalled = 0, delayMs = 0, current;
    Date.now = () => now;
    const best = (kbit) => reps.filter((r) => r.bitrateInKbit <= kbit).at(-1) || reps[0];
    const abrController = {
        getPossibleVoRepresentationsFilteredBySettings: () => reps,
        getOptimalRepresentationForBitrate: (_, kbit) => best(kbit),
        isPlayingAtTopQuality: (r) => r.id === reps.at(-1).id,
        getAbandonmentStateFor: () => 'allowload',
    };
    FactoryMaker.setSingletonInstance(context, 'AbrController', abrController);
    const playbackController = {getIsDynamic: () => false, getLowLatencyModeEnabled: () => false};
    const throughputController = ThroughputController(context).getInstance();
    throughputController.setConfig({settings, playbackController});
    throughputController.initialize();
    const dashMetrics = {
        getCurrentBufferLevel: () => buffer,
        getCurrentBufferState: () => ({state: playing ? 'bufferLoaded' : 'bufferStalled'}),
    };
    const collection = ABRRulesCollection(context).create({
        dashMetrics, settings, mediaPlayerModel: {getBufferTimeDefault: () => BUFFER_S},
        customParametersModel: {getAbrCustomRules: () => []},
    });
    collection.initialize();
    const history = SwitchRequestHistory(context).create();
    const scheduleController = {
        setTimeToLoadDelay: (ms) => { delayMs = ms; },
        getPlaybackController: () => playbackController,
    };

    const play = (until) => {
        let passed = (until - now) / 1000;
        now = until;
        if (!playing) {
            if (steps.length) { stalled += passed; }
            return;
        }
        if (passed >= buffer) {
            stalled += passed - buffer;
            buffer = 0;
            playing = false;
            eventBus.trigger(MediaPlayerEvents.BUFFER_EMPTY, {mediaType: 'video', streamId: 's'});
        } else {
            buffer -= passed;
        }
    };

    const steps = [];
    current = best(1000);  // AbrController's default for the first segment, in kbit/s
    for (let k = 0; k < count; k += 1) {
        const full = BUFFER_S - SEGMENT_S;
        if (buffer > full) { play(now + Math.ceil((buffer - full) * 1000)); }
        const bola = collection.getBolaState('video');
        const on = settings.get().streaming.abr.hybridSwitchBufferTime;
        collection.setBolaState('video', rule === 'bola' ||
            (rule === 'dynamic' && buffer >= (bola ? 0.5 * on : on)));
        delayMs = 0;
        const ctx = RulesContext(context).create({
            abrController, throughputController, switchRequestHistory: history,
            streamProcessor: {
                getScheduleController: () => scheduleController,
                getRepresentation: () => current,
            },
        });
        const asked = collection.getBestPossibleSwitchRequest(ctx);
        const next = asked.representation || current;
        if (asked.representation) {
            history.push({currentRepresentation: current, newRepresentation: next});
        }
        const average = throughputController.getAverageThroughput('video');
        const step = {now, buffer, playing, stalled, level: next.absoluteIndex,
            average: Number.isNaN(average) ? null : average, delay: Math.round(delayMs)};
        current = next;
        if (delayMs > 0) { play(now + step.delay); }
        const bytes = Math.round(current.bandwidth * SEGMENT_S / 8);
        const request = now, first = now + LATENCY_MS;
        const last = downloaded(link, first, bytes * 8);
        play(last);
        eventBus.trigger(MediaPlayerEvents.METRIC_ADDED, {
            metric: 'HttpList', mediaType: 'video', value: {
                type: 'MediaSegment', _streamId: 's', url: 'u', trace: [{d: 0, b: [0]}],
                trequest: new Date(request), tresponse: new Date(first), _tfinish: new Date(last),
                _resourceTimingValues: {transferSize: bytes, decodedBodySize: bytes,
                    responseStart: first, responseEnd: last},
            },
        });
        eventBus.trigger(Events.MEDIA_FRAGMENT_LOADED, {
            streamId: 's', mediaType: 'video',
            chunk: {representation: current, start: k * SEGMENT_S, duration: SEGMENT_S},
        });
        buffer += SEGMENT_S;
        playing = true;
        eventBus.trigger(Events.BYTES_APPENDED_END_FRAGMENT,
            {mediaType: 'video', startTime: k * SEGMENT_S});
        steps.push({...step, request, first, last, bytes});
    }
    Date.now = realNow;
    return steps;
}

const sessions = [];
for (const rule of ['throughput', 'bola', 'dynamic']) {
    for (const [ladder, rates] of Object.entries(LADDERS)) {
        for (const [link, steps] of Object.entries(LINKS)) {
            sessions.push({rule, ladder, link, rates, steps: session(rule, rates, steps, 90)});
        }
    }
}
const columns = Object.keys(sessions[0].steps[0]);
const lines = sessions.map((s) => JSON.stringify(
    {...s, steps: s.steps.map((step) => columns.map((c) => step[c]))}));
fs.writeFileSync(path.join(here, `dashjs-${VERSION}.json`),
    `{"segment_s": ${SEGMENT_S}, "buffer_s": ${BUFFER_S}, "columns": ${JSON.stringify(columns)},\n` +
    `"sessions": [\n${lines.join(',\n')}\n]}\n`);
fs.rmSync(top, {recursive: true});
