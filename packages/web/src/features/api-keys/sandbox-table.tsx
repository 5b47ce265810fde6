import { Copyable } from '../../ui/copyable.tsx'
import { sandboxNumbers } from './sandbox-numbers.ts'

export function SandboxNumbers() {
  return (
    <table className="w-full border-y border-border text-left">
      <thead>
        <tr className="text-caption text-muted-foreground">
          <th scope="col" className="w-52 py-2 pr-4 font-medium">
            Number
          </th>
          <th scope="col" className="py-2 font-medium">
            Message
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-t border-line">
        {sandboxNumbers.map(({ number, result }) => (
          <tr key={number}>
            <th scope="row" className="py-1.5 pr-4 align-top font-normal">
              <Copyable text={number} label="Copy" />
            </th>
            <td className="py-2">{result}</td>
          </tr>
        ))}
        <tr>
          <th scope="row" className="py-2 pr-4 align-top font-normal">
            All others
          </th>
          <td className="py-2">Is delivered at once</td>
        </tr>
      </tbody>
    </table>
  )
}
