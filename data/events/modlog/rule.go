package modlog

// GeneralRules are rules that a decision in any community can cite, besides the community's own.
var GeneralRules = []string{"Spam", "Harassment or hate", "Threat or violence", "Private information", "Sexual content with minors",
	"Suicide or self-harm", "Breaks the law"}

// RuleKnown is the condition that the cited rule, :rule, is empty, one of GeneralRules (then the caller sets :general), or a rule of the
// site or of the community with the key :community. Unique index on name_key, primary key.
const RuleKnown = `(:rule = '' OR :general OR EXISTS (SELECT 1 FROM communities k CROSS JOIN json_each(k.rules) e
  WHERE k.name_key = :community AND e.value ->> 'title' = :rule)
  OR EXISTS (SELECT 1 FROM site_settings w CROSS JOIN json_each(w.body, '$.rules') e WHERE w.id = 1 AND e.value ->> 'title' = :rule))`
