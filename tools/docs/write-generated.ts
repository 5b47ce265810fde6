import { readFileSync, writeFileSync } from 'node:fs'

/** Writes the files that differ; with --check only reports them, and ends the process with 1. */
export function writeGenerated(generated: Record<string, string>): void {
  const isCheck = process.argv.includes('--check')
  const drifted = Object.entries(generated).filter(([file, text]) => read(file) !== text)
  for (const [file, text] of drifted) {
    if (!isCheck) writeFileSync(file, text)
    console.log(isCheck ? `${file} is outdated: run npm run docs` : `wrote ${file}`)
  }
  process.exit(isCheck && drifted.length > 0 ? 1 : 0)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
