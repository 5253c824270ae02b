'use strict';
// Results to look at: text, HTML, SVG and tables, which the compiled part makes.

const { attempt } = require('./fail.js');
const native = require('./native.js');

function written(told) {
  return JSON.stringify(told, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The result with methods that draw it. They are no properties of its data: neither JSON nor a comparison shows them. */
function pictured(kind, told) {
  const draw = (format) => attempt(() => native.make('draw', { class: kind, result: written(told), format }));
  const methods = {
    toSvg: () => draw('svg'),
    toHtml: () => draw('html'),
    toText: () => draw('text'),
    toTable: () => {
      const { Table } = require('./table.js');
      return new Table(attempt(() => native.make('drawnTable', { class: kind, result: written(told), format: 'table' })));
    },
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(told, name, { value, configurable: true });
  return told;
}

exports.pictured = pictured;
