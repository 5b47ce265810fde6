import { newId } from '../../lib/ids.ts'
import type { CallOptions, TestServer } from '../../testing/server.ts'
import type { Account } from '../../testing/builders.ts'
import { until } from '../../testing/until.ts'

type Body = NonNullable<CallOptions<'reportFiles.generate'>['body']>
export type Wanted = { as: Account } & Partial<CallOptions<'reportFiles.generate'>['path']> & Body

/** Today in the zone of test accounts. */
export const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date())

export async function request(server: TestServer, { as, ...wanted }: Wanted) {
  const { from = today, to = today, channel = 'all', campaignId = 'all', ...body } = wanted
  return server.call('reportFiles.generate', { as, path: { from, to, channel, campaignId }, body })
}

/** Requests a report and waits until it is ready or failed. */
export async function prepare(server: TestServer, wanted: Wanted) {
  const { reportId } = (await request(server, wanted)).data()
  const read = () => server.ask('reportFiles.details', { as: wanted.as, path: { id: reportId } })
  await until(async () => ['ready', 'failed'].includes((await read()).status), 'the report', 30_000)
  return read()
}

export async function download(server: TestServer, as: Account, id: string) {
  return server.call('reportFiles.download', { as, path: { id } })
}

/** A line of a CSV file without line breaks in cells. */
export function readCsv(text: string): string[][] {
  return text
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    )
}

/** The rows of a report by the titles of their columns, without the time zone. Its name is new, so that it is not an earlier one. */
export async function readRowsOf(server: TestServer, wanted: Wanted): Promise<Record<string, string>[]> {
  const { reportId, status, error } = await prepare(server, { name: `Rows ${newId()}`, ...wanted, format: 'csv' })
  if (status !== 'ready') throw new Error(`The report is ${status}: ${error}`)
  const [header = [], ...lines] = readCsv((await download(server, wanted.as, reportId)).text)
  const titles = header.map((title) => title.replace(/ \([A-Z]\w+\/\w+\)$/, ''))
  return lines.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ''])))
}

export const sumOfRows = (rows: readonly Record<string, string>[], title: string) =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[title]), 0) * 10_000) / 10_000
