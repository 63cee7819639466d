-- What was reported before the step weights: each of those reports weighs 1. What waits since then weighs that much at least, so it may be counted again.
UPDATE queue_items SET weight = reports WHERE target_id BETWEEN :first_target_id AND :last_target_id AND status = 'open' AND weight < reports;
