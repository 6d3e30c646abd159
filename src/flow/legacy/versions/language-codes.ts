/**
 * The ISO 639-3 code of a language. Unknown codes stay.
 *
 * @param code - ISO 639-1, or ISO 639-2 in either form
 */
export function newLanguageCode(code: string): string {
  const lower = code.trim().toLowerCase();
  return codes.get(lower) ?? code;
}

/** Codes of ISO 639-2 that differ from ISO 639-3: bibliographic ones, and groups with the language that was meant. */
const part2 = `alb sqi arm hye baq eus bur mya chi zho cze ces dut nld fre fra geo kat ger deu gre ell ice isl mac mkd
mao mri may msa per fas rum ron slo slk tib bod wel cym mkh khm cpe pcm art epo cpf gcr phi fil smi smj afa ara aus rop
cpp kea him xnr kar blk esp spa`;

const part1 = `aa aar ab abk af afr ak aka am amh ar ara as asm ay aym az aze ba bak be bel bg bul bi bis bm bam bn ben
bo bod br bre bs bos ca cat ce che ch cha co cos cs ces cv chv cy cym da dan de deu dv div dz dzo ee ewe el ell en eng
eo epo es spa et est eu eus fa fas ff ful fi fin fj fij fo fao fr fra fy fry ga gle gd gla gl glg gn grn gu guj ha hau
he heb hi hin ho hmo hr hrv ht hat hu hun hy hye hz her id ind ig ibo ii iii ik ipk is isl it ita iu iku ja jpn jv jav
ka kat kg kon ki kik kj kua kk kaz kl kal km khm kn kan ko kor kr kau ks kas ku kur kv kom kw cor ky kir la lat lb ltz
lg lug li lim ln lin lo lao lt lit lu lub lv lav mg mlg mh mah mi mri mk mkd ml mal mn mon mr mar ms msa mt mlt my mya
na nau nb nob nd nde ne nep ng ndo nl nld nn nno no nor nr nbl nv nav ny nya oc oci oj oji om orm or ori os oss pa pan
pi pli pl pol ps pus pt por qu que rm roh rn run ro ron ru rus rw kin sa san sc srd sd snd se sme sg sag si sin sk slk
sl slv sm smo sn sna so som sq sqi sr srp ss ssw st sot su sun sv swe sw swa ta tam te tel tg tgk th tha ti tir tk tuk
tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig uk ukr ur urd uz uzb ve ven vi vie vo vol wa wln wo wol
xh xho yi yid yo yor za zha zh zho zu zul`;

const codes: ReadonlyMap<string, string> = new Map(
  [...`${part2} ${part1}`.matchAll(/(\w+)\s+(\w+)/g)].map(([, from = "", to = ""]) => [from, to]),
);
