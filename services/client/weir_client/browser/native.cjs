// What was built of the C files here.
'use strict';
const path = require('node:path');

const built = (name) => require(path.join(process.env.WEIR_NATIVE, `${name}.node`));

module.exports = { alarm: built('alarm'), receive: built('receive') };
