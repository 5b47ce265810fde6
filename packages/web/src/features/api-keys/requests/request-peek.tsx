import { maximumLoggedBytes, type ApiSendRequest } from '@carillon/contract/request-log-records'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { countOf, formatBytes, formatCount, formatDateTime, formatMoney } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Region } from '../../../ui/region.tsx'
import { Code, prettyJson } from '../code.tsx'
import { EnvironmentPill } from '../key-columns.tsx'
import { LookPill } from '../look-pill.tsx'
import { isApiSend, remedyOf, requestLooks, type ApiSendDetails } from './request-labels.ts'
import { SentMessages } from './sent-messages.tsx'

/** A call: its answer, its messages and both bodies. */
export function RequestPeek({ request }: { request: ApiSendRequest }) {
  const details = useApi('support.get', { path: { id: request.id } }, { refetchInterval: 15_000 })
  const { status, code, message, counts } = request
  return (
    <div className="flex flex-col gap-6 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <LookPill look={requestLooks[status]} />
        <EnvironmentPill environment={request.environment} />
      </div>
      {code ? (
        <Notice tone="bad">
          <b className="font-medium break-words">{message}</b> <code className="font-mono text-caption">{code}</code>
          <p>{remedyOf(code)}</p>
        </Notice>
      ) : null}
      {!code && counts.refused > 0 ? (
        <Notice tone="care">
          {formatCount(counts.refused)} of {countOf(counts.messages, 'message')} {counts.refused === 1 ? 'was' : 'were'}{' '}
          refused. The response has the reason of each.
        </Notice>
      ) : null}
      <Region read={details} label="the request" lines={8}>
        {(data) => (isApiSend(data) ? <Details details={data} /> : null)}
      </Region>
    </div>
  )
}

function Details({ details }: { details: ApiSendDetails }) {
  return (
    <>
      <Facts facts={factsOf(details)} />
      {details.counts.accepted > 0 ? <SentMessages request={details} /> : null}
      <Body title="Request" body={details.requestBody} />
      <Body title="Response" body={details.responseBody} />
    </>
  )
}

function factsOf(details: ApiSendDetails): Fact[] {
  const { id, createdAt, key, createdBy, method, path, httpStatus, durationMs, channel, cost, idempotencyKey } = details
  const { accepted, refused, delivered, failed } = details.counts
  return [
    ['Id', <Copyable key="id" text={id} />],
    ['Time', formatDateTime(createdAt)],
    ['Key', `${key.name} · ${createdBy.name}`],
    [
      'Call',
      <span key="call" className="font-mono text-dense tracking-normal" title={`${method} ${path}`}>
        {method} {path}
      </span>,
    ],
    [
      'Response',
      `${httpStatus} · ${formatCount(durationMs)} ms${details.isReplay ? ' · replay of an earlier one' : ''}`,
    ],
    ...(channel ? [['Channel', channelLabel(channel)] as const] : []),
    ['Messages', countsText({ accepted, refused })],
    ...(delivered + failed > 0 ? [['Outcome', countsText({ delivered, failed })] as const] : []),
    ...(cost === undefined || details.counts.accepted === 0
      ? []
      : [['Cost when accepted', formatMoney(cost)] as const]),
    ['Client address', <Copyable key="address" text={details.clientAddress} label="Copy address" />],
    ...(idempotencyKey === undefined
      ? []
      : [['Idempotency-Key', <Copyable key="key" text={idempotencyKey} label="Copy Idempotency-Key" />] as const]),
  ]
}

function countsText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([name, count]) => count > 0 || name === 'accepted')
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(' · ')
}

function Body({ title, body }: { title: string; body: ApiSendDetails['requestBody'] }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      {body ? (
        <>
          <Code label={`${title} body`} text={prettyJson(body.text)} raw={body.text} />
          {body.isCut ? (
            <p className="text-caption text-muted-foreground">Cut after {formatBytes(maximumLoggedBytes)}.</p>
          ) : null}
        </>
      ) : (
        <p className="text-muted-foreground">Not stored</p>
      )}
    </section>
  )
}
