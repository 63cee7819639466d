package accounts

import (
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the platform has no files of its own
)

// zones are the time zones to choose from, those of zone.tab in the tz database, below the first part of their names.
var zones = []struct{ area, places string }{
	{"Africa", "Abidjan Accra Addis_Ababa Algiers Asmara Bamako Bangui Banjul Bissau Blantyre Brazzaville Bujumbura Cairo Casablanca " +
		"Ceuta Conakry Dakar Dar_es_Salaam Djibouti Douala El_Aaiun Freetown Gaborone Harare Johannesburg Juba Kampala Khartoum " +
		"Kigali Kinshasa Lagos Libreville Lome Luanda Lubumbashi Lusaka Malabo Maputo Maseru Mbabane Mogadishu Monrovia Nairobi " +
		"Ndjamena Niamey Nouakchott Ouagadougou Porto-Novo Sao_Tome Tripoli Tunis Windhoek"},
	{"America", "Adak Anchorage Anguilla Antigua Araguaina Argentina/Buenos_Aires Argentina/Catamarca Argentina/Cordoba Argentina/Jujuy " +
		"Argentina/La_Rioja Argentina/Mendoza Argentina/Rio_Gallegos Argentina/Salta Argentina/San_Juan Argentina/San_Luis " +
		"Argentina/Tucuman Argentina/Ushuaia Aruba Asuncion Atikokan Bahia Bahia_Banderas Barbados Belem Belize Blanc-Sablon " +
		"Boa_Vista Bogota Boise Cambridge_Bay Campo_Grande Cancun Caracas Cayenne Cayman Chicago Chihuahua Ciudad_Juarez " +
		"Costa_Rica Coyhaique Creston Cuiaba Curacao Danmarkshavn Dawson Dawson_Creek Denver Detroit Dominica Edmonton Eirunepe " +
		"El_Salvador Fort_Nelson Fortaleza Glace_Bay Goose_Bay Grand_Turk Grenada Guadeloupe Guatemala Guayaquil Guyana Halifax " +
		"Havana Hermosillo Indiana/Indianapolis Indiana/Knox Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay " +
		"Indiana/Vincennes Indiana/Winamac Inuvik Iqaluit Jamaica Juneau Kentucky/Louisville Kentucky/Monticello Kralendijk " +
		"La_Paz Lima Los_Angeles Lower_Princes Maceio Managua Manaus Marigot Martinique Matamoros Mazatlan Menominee Merida " +
		"Metlakatla Mexico_City Miquelon Moncton Monterrey Montevideo Montserrat Nassau New_York Nome Noronha North_Dakota/Beulah " +
		"North_Dakota/Center North_Dakota/New_Salem Nuuk Ojinaga Panama Paramaribo Phoenix Port-au-Prince Port_of_Spain " +
		"Porto_Velho Puerto_Rico Punta_Arenas Rankin_Inlet Recife Regina Resolute Rio_Branco Santarem Santiago Santo_Domingo " +
		"Sao_Paulo Scoresbysund Sitka St_Barthelemy St_Johns St_Kitts St_Lucia St_Thomas St_Vincent Swift_Current Tegucigalpa " +
		"Thule Tijuana Toronto Tortola Vancouver Whitehorse Winnipeg Yakutat"},
	{"Antarctica", "Casey Davis DumontDUrville Macquarie Mawson McMurdo Palmer Rothera Syowa Troll Vostok"},
	{"Arctic", "Longyearbyen"},
	{"Asia", "Aden Almaty Amman Anadyr Aqtau Aqtobe Ashgabat Atyrau Baghdad Bahrain Baku Bangkok Barnaul Beirut Bishkek Brunei Chita " +
		"Colombo Damascus Dhaka Dili Dubai Dushanbe Famagusta Gaza Hebron Ho_Chi_Minh Hong_Kong Hovd Irkutsk Jakarta Jayapura " +
		"Jerusalem Kabul Kamchatka Karachi Kathmandu Khandyga Kolkata Krasnoyarsk Kuala_Lumpur Kuching Kuwait Macau Magadan " +
		"Makassar Manila Muscat Nicosia Novokuznetsk Novosibirsk Omsk Oral Phnom_Penh Pontianak Pyongyang Qatar Qostanay " +
		"Qyzylorda Riyadh Sakhalin Samarkand Seoul Shanghai Singapore Srednekolymsk Taipei Tashkent Tbilisi Tehran Thimphu Tokyo " +
		"Tomsk Ulaanbaatar Urumqi Ust-Nera Vientiane Vladivostok Yakutsk Yangon Yekaterinburg Yerevan"},
	{"Atlantic", "Azores Bermuda Canary Cape_Verde Faroe Madeira Reykjavik South_Georgia St_Helena Stanley"},
	{"Australia", "Adelaide Brisbane Broken_Hill Darwin Eucla Hobart Lindeman Lord_Howe Melbourne Perth Sydney"},
	{"Europe", "Amsterdam Andorra Astrakhan Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Busingen Chisinau Copenhagen " +
		"Dublin Gibraltar Guernsey Helsinki Isle_of_Man Istanbul Jersey Kaliningrad Kirov Kyiv Lisbon Ljubljana London Luxembourg " +
		"Madrid Malta Mariehamn Minsk Monaco Moscow Oslo Paris Podgorica Prague Riga Rome Samara San_Marino Sarajevo Saratov " +
		"Simferopol Skopje Sofia Stockholm Tallinn Tirane Ulyanovsk Vaduz Vatican Vienna Vilnius Volgograd Warsaw Zagreb Zurich"},
	{"Indian", "Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Maldives Mauritius Mayotte Reunion"},
	{"Pacific", "Apia Auckland Bougainville Chatham Chuuk Easter Efate Fakaofo Fiji Funafuti Galapagos Gambier Guadalcanal Guam Honolulu " +
		"Kanton Kiritimati Kosrae Kwajalein Majuro Marquesas Midway Nauru Niue Norfolk Noumea Pago_Pago Palau Pitcairn Pohnpei " +
		"Port_Moresby Rarotonga Saipan Tahiti Tarawa Tongatapu Wake Wallis"},
}

// Zones returns the names of all time zones that a member can choose, sorted.
var Zones = sync.OnceValue(func() (names []string) {
	for _, z := range zones {
		for place := range strings.FieldsSeq(z.places) {
			names = append(names, z.area+"/"+place)
		}
	}
	slices.Sort(names)
	return names
})

// formerZones are names that browsers still have for time zones, those of CLDR.
var formerZones = map[string]string{
	"Africa/Asmera": "Africa/Asmara", "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
	"America/Catamarca": "America/Argentina/Catamarca", "America/Coral_Harbour": "America/Atikokan",
	"America/Cordoba": "America/Argentina/Cordoba", "America/Godthab": "America/Nuuk", "America/Indianapolis": "America/Indiana/Indianapolis",
	"America/Jujuy": "America/Argentina/Jujuy", "America/Louisville": "America/Kentucky/Louisville",
	"America/Mendoza": "America/Argentina/Mendoza", "Asia/Calcutta": "Asia/Kolkata", "Asia/Katmandu": "Asia/Kathmandu",
	"Asia/Rangoon": "Asia/Yangon", "Asia/Saigon": "Asia/Ho_Chi_Minh", "Atlantic/Faeroe": "Atlantic/Faroe", "Etc/UTC": "UTC",
	"Europe/Kiev": "Europe/Kyiv", "Pacific/Enderbury": "Pacific/Kanton", "Pacific/Ponape": "Pacific/Pohnpei", "Pacific/Truk": "Pacific/Chuuk",
}

// KnownZone returns the name among Zones, or UTC, of a time zone that a browser names; "" for one that isn't known.
func KnownZone(name string) string {
	if now, ok := formerZones[name]; ok {
		name = now
	}
	if _, ok := slices.BinarySearch(Zones(), name); ok || name == "UTC" {
		return name
	}
	return ""
}

// loaded are the time zones that members of this instance have chosen.
var loaded struct {
	sync.Mutex
	zones map[string]*time.Location
}

// LoadZone returns one of Zones; UTC for any other name.
func LoadZone(name string) *time.Location {
	if _, ok := slices.BinarySearch(Zones(), name); !ok {
		return time.UTC
	}
	loaded.Lock()
	z := loaded.zones[name]
	loaded.Unlock()
	if z != nil {
		return z
	}
	z, err := time.LoadLocation(name)
	if err != nil { // a test loads them all
		return time.UTC
	}
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.zones == nil {
		loaded.zones = map[string]*time.Location{}
	}
	loaded.zones[name] = z
	return z
}
