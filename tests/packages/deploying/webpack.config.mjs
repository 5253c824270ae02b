// The compiled part is loaded when the program runs: webpack cannot pack it.
export default {
  mode: 'production',
  target: 'node',
  entry: './first.mjs',
  output: { filename: 'webpack.mjs', module: true, chunkFormat: 'module' },
  experiments: { outputModule: true },
  externals: { sondage: 'module sondage' },
};
