-- Links to templates name the channel. Until now only WhatsApp templates were reviewed.
update notifications set link = link || '{"channel": "whatsapp"}'
where link ->> 'type' = 'template' and not link ? 'channel';
