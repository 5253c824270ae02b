// Next.js leaves the package as it is, and traces its files into `.next/standalone`.
export default { output: 'standalone', serverExternalPackages: ['sondage'] };
