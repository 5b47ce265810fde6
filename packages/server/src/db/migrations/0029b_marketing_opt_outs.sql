-- Who stops marketing in WhatsApp itself still gets what they asked for, such as codes and confirmations. A typed STOP stops
-- everything of its channel.
alter table opt_outs add column marketing_only boolean not null default false;
update opt_outs set marketing_only = true where channel = 'whatsapp' and keyword = 'asked in the app';

alter table campaign_legs add column is_marketing boolean not null default true;
update campaign_legs set is_marketing = false
where channel = 'whatsapp' and upper(content -> 'template' ->> 'category') in ('UTILITY', 'AUTHENTICATION');
