import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { agentRoleLabels } from './agent-labels.ts'

export type AgentRole = 'user' | 'department_head'
const roles = ['user', 'department_head'] as const satisfies readonly AgentRole[]

export function RoleField({ value, onChange }: { value: AgentRole; onChange: (role: AgentRole) => void }) {
  return (
    <Field label="Role" help="A department head also sees the conversations of the people below.">
      <Select
        value={value}
        options={roles.map((role) => ({ value: role, label: agentRoleLabels[role] }))}
        onValueChange={onChange}
      />
    </Field>
  )
}
