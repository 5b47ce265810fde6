create table files (
  organization_id uuid not null,
  id uuid not null,
  purpose text not null,
  channel channel,
  name text not null,
  mime_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  storage_key text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on files (organization_id, purpose, created_at desc);

-- A file or list of numbers that was checked. Its recipients never change once it is ready; a new mapping makes a new reading.
create table audiences (
  organization_id uuid not null,
  id uuid not null,
  path ltree not null,
  -- Raised by every new reading; recipients of an older one are swept away.
  reading int not null default 1,
  status text not null check (status in ('reading', 'checking', 'ready', 'failed')),
  file_id uuid not null,
  file_name text not null,
  format text not null check (format in ('csv', 'xlsx', 'pasted')),
  columns text[] not null default '{}',
  sample jsonb not null default '[]',
  phone_column int,
  default_country text not null default 'IN',
  processed int not null default 0,
  percent real not null default 0,
  total int not null default 0,
  accepted int not null default 0,
  invalid int not null default 0,
  duplicate int not null default 0,
  suppressed int not null default 0,
  sample_errors jsonb not null default '[]',
  rejects_file_id uuid,
  error text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, file_id) references files (organization_id, id),
  check (status <> 'ready' or accepted + invalid + duplicate + suppressed = total)
);

-- One immutable row per person of an audience; loaded by COPY, never updated. seq runs 0, 1, 2 … without gaps.
create table recipients (
  organization_id uuid not null,
  audience_id uuid not null,
  seq int not null,
  -- E.164 digits.
  phone bigint not null,
  -- A cell for each column of the file, in its order; variables are filled from here by column.
  variables text[] not null,
  primary key (organization_id, audience_id, seq)
);
create index on recipients (organization_id, audience_id, phone);

create type campaign_status as enum ('draft', 'validating', 'ready', 'pending_approval', 'scheduled', 'queued', 'running',
  'paused', 'completed', 'cancelled', 'discarded', 'failed');

create table campaigns (
  organization_id uuid not null,
  id uuid not null,
  path ltree not null,
  name text not null,
  channel channel not null,
  status campaign_status not null default 'draft',
  pause_reason text,
  status_detail text,
  -- Raised by everything that must stop the sending: a chunk of an older epoch moves no mark.
  run_epoch int not null default 1,
  is_test boolean not null default false,
  audience_id uuid,
  total int not null default 0,
  -- What the wizard saved, as it stands in the contract.
  draft jsonb not null default '{}',
  schedule_at timestamptz,
  timezone text not null default 'Asia/Kolkata',
  -- Hours in which it may send, or null for always: {start, end, timezone}.
  send_window jsonb,
  expires_at timestamptz,
  weight real not null default 1 check (weight > 0),
  hold_id uuid,
  estimated_cost bigint not null default 0,
  -- The day its messages are kept under; fixed when it starts.
  created_on date,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  validated_at timestamptz,
  started_at timestamptz,
  paused_at timestamptz,
  completed_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, audience_id) references audiences (organization_id, id)
);
create index on campaigns (organization_id, created_at desc);
create index on campaigns using gist (path);
create index on campaigns (schedule_at) where status = 'scheduled';
create index on campaigns (status) where status in ('validating', 'queued', 'running', 'paused');

-- A step of a campaign on one channel, frozen at validation.
create table campaign_legs (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  channel channel not null,
  sender_id uuid not null,
  template_id uuid,
  -- What is sent: for SMS {header, body, variables: VariableSource[], category, entityId, dltTemplateId}.
  content jsonb not null,
  -- Price of one part in ledger units and when it is billable, as the rate card said at validation.
  price bigint not null,
  billable_on text not null default 'sent' check (billable_on in ('sent', 'delivered')),
  primary key (organization_id, campaign_id, leg),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade,
  foreign key (organization_id, sender_id) references senders (organization_id, id)
);

create table campaign_events (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  event text not null,
  details jsonb not null default '{}',
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
create index on campaign_events (organization_id, campaign_id, at);
