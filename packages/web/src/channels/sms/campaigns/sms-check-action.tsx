import type { VariableSource } from '@carillon/contract/campaign-records'
import { longestValue } from '@carillon/contract/channels/sms/sms-variables'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Check, CheckTools } from '../../channel-campaigns.ts'
import { GoToStep, ShowOnPhone } from '../../parts/check-actions.tsx'

/** Applies the longest value of each variable's kind. */
type Trimming = { onTrim: () => void }

/** The actions of checks that only SMS has. */
export function smsCheckAction({ id, level }: Check, tools: CheckTools & Trimming): ReactNode | undefined {
  return level === 'pass' ? undefined : actions[id]?.(tools)
}

/** By check id. */
const actions: Record<string, (tools: CheckTools & Trimming) => ReactNode> = {
  account: ({ onStep }) => <GoToStep to="template" label="Choose account" onStep={onStep} />,
  header: ({ onStep }) => <GoToStep to="template" label="Choose template" onStep={onStep} />,
  variables: ({ onStep, ...tools }) => (
    <>
      <ShowRow {...tools} row={tools.estimate.missingSeqs[0]} />
      <GoToStep to="personalise" label="Enter a value" onStep={onStep} />
    </>
  ),
  lengths: ({ onTrim, ...tools }) => (
    <>
      <ShowRow {...tools} row={tools.estimate.tooLongSeqs[0]} />
      <Button size="tool" onClick={onTrim}>
        Trim values
      </Button>
    </>
  ),
  formats: ({ onStep, ...tools }) => (
    <>
      <ShowRow {...tools} row={tools.estimate.unreadableSeqs[0]} />
      <GoToStep to="personalise" label="Open variables" onStep={onStep} />
    </>
  ),
  values: ({ onStep }) => <GoToStep to="personalise" label="Open variables" onStep={onStep} />,
  parts: (tools) => <ShowRow {...tools} row={tools.estimate.longestSeq ?? tools.estimate.multipartSeqs[0]} />,
}

type ShowRowProps = Pick<CheckTools, 'seq' | 'onJump'> & { row: number | undefined }

function ShowRow({ seq, onJump, row }: ShowRowProps) {
  return <ShowOnPhone seq={row} shown={seq} onJump={onJump} />
}

/** Every source, cut to the longest value of its variable. */
export function trimmed(
  { variables }: Pick<SmsTemplate, 'variables'>,
  sources: readonly VariableSource[],
): VariableSource[] {
  return variables.map(({ kind }, index) => ({ fallback: '', ...sources[index], trimTo: longestValue[kind] }))
}
