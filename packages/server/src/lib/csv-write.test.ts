import { expect, test } from 'vitest'
import { csvLine } from './csv-write.ts'

test.each([
  ['plain cells', ['a', 1, null, undefined, ''], 'a,1,,,\r\n'],
  ['delimiters, quotes and line breaks', ['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
  ['a formula, disarmed', ['=HYPERLINK("x")'], `"'=HYPERLINK(""x"")"\r\n`],
  ['other signs that begin a formula', ['+1', '-1', '@a', '\tx', '\0x'], "'+1,'-1,'@a,'\tx,'\0x\r\n"],
  ['a negative number, which is none', [-1.5], '-1.5\r\n'],
])('writes %s', (_, cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
