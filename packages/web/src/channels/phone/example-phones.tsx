import clsx from 'clsx'
import { channelList } from '../index.ts'
import { MiniPhone } from './mini-phone.tsx'

const shown = 3

/** Every channel's first example, then every channel's second one. */
function exampleMessages() {
  const examples = channelList.map(({ phone }) => phone?.examples ?? [])
  const most = Math.max(...examples.map(({ length }) => length))
  return Array.from({ length: most }, (_, index) => examples.flatMap((own) => own[index] ?? [])).flat()
}

/** Three messages on three cropped phones: the illustration of empty screens. */
export function ExamplePhones() {
  return (
    <div
      aria-hidden
      inert
      className="flex h-34 items-end justify-center gap-3 overflow-hidden [mask-image:linear-gradient(#000_72%,transparent)]"
    >
      {exampleMessages()
        .slice(0, shown)
        .map((message, index) => (
          <div key={index} className={clsx('shrink-0', index === 1 ? 'h-34' : 'h-28')}>
            <MiniPhone message={message} scale={0.3} />
          </div>
        ))}
    </div>
  )
}
