// @ts-check
/** @typedef {"eng" | "fra" | "swa"} Language */
/** @typedef {(typeof symptoms)[number]} Symptom */
/** @typedef {keyof typeof supplies} Supply */

/**
 * The languages of the application: ISO 639-3.
 *
 * @type {readonly Language[]}
 */
export const languages = ["eng", "fra", "swa"];

/** What people complain of: each has one question and one piece of advice. */
export const symptoms = /** @type {const} */ ([
  "pregnancy",
  "wound",
  "diarrhoea",
  "fever",
  "cough",
  "vomiting",
  "rash",
  "pain",
]);

/**
 * What a word can mean.
 *
 * @typedef {Symptom | "danger" | "child" | "yes" | "no" | "thanks" | "greeting" | "hours" | "visit" | "help" | "stop"
 *   | "start" | "join" | "stock" | "common"} Sense
 */

/**
 * Words and phrases by language and sense, in lower case, without accents. `common` words have no sense: they only tell
 * the language.
 *
 * @type {Record<Language, Record<Sense, string>>}
 */
export const words = {
  eng: {
    danger:
      "cannot breathe,not breathing,trouble breathing,unconscious,fits,fitting,convulsion,convulsions,convulsing,snake,snakebite,bleeding,in labour,waters broke,emergency,urgent,ambulance,dying",
    pregnancy: "pregnant,pregnancy",
    wound: "wound,cut,burn,burnt,injured,injury",
    diarrhoea: "diarrhoea,diarrhea,running stomach,watery stool",
    fever: "fever,hot body,malaria,temperature,hot",
    cough: "cough,coughing,coughs",
    vomiting: "vomiting,vomits,vomit,throwing up",
    rash: "rash,itching,itches,spots",
    pain: "pain,headache,ache,aches,hurts,sick,ill",
    child: "child,children,baby,kid,infant,son,daughter,boy,girl",
    yes: "yes,y,yeah,yep",
    no: "no,n,nope",
    thanks: "thanks,thank you,ok,okay,fine",
    greeting: "hello,hi,good morning,good evening",
    hours: "open,closed,close,hours,when is the clinic,nurse",
    visit: "appointment,visit,i will come,we will come,coming",
    help: "help,menu,info",
    stop: "stop,unsubscribe",
    start: "start,resume",
    join: "join,register",
    stock: "stock",
    common: "the,my,is,has,have,for,and,day,days,since,yesterday,week,weeks,a,with,are,there,today",
  },
  fra: {
    danger:
      "ne respire pas,respire mal,inconscient,inconsciente,convulsions,convulse,serpent,saigne,hemorragie,perd les eaux,urgence,urgent,ambulance",
    pregnancy: "enceinte,grossesse",
    wound: "blessure,plaie,coupure,brulure,blesse,blessee",
    diarrhoea: "diarrhee,selles liquides",
    fever: "fievre,palu,paludisme,chaud,chaude",
    cough: "toux,tousse",
    vomiting: "vomit,vomissements,vomissement",
    rash: "boutons,eruption,demangeaisons",
    pain: "mal,douleur,douleurs,malade",
    child: "enfant,enfants,bebe,fils,fille,petit,petite",
    yes: "oui",
    no: "non",
    thanks: "merci,d accord,bien recu",
    greeting: "bonjour,bonsoir,salut",
    hours: "ouvert,ouverte,ferme,heures,horaires,infirmiere",
    visit: "rendez vous,rdv,visite,je viendrai,nous viendrons,je viens",
    help: "aide,infos",
    stop: "arret,arreter",
    start: "reprendre,commencer",
    join: "inscription",
    stock: "stock,stocks",
    common: "le,la,les,mon,ma,est,a,depuis,et,jour,jours,hier,semaine,semaines,beaucoup,un,une,de,avec,pour,est ce que",
  },
  swa: {
    danger:
      "hapumui,anapumua kwa shida,amezimia,degedege,nyoka,damu nyingi,anatokwa damu,uchungu wa uzazi,dharura,haraka",
    pregnancy: "mjamzito,mimba,ujauzito",
    wound: "jeraha,kidonda,ameungua,amejikata",
    diarrhoea: "kuhara,anahara,kuharisha,anaharisha",
    fever: "homa,joto,malaria",
    cough: "kikohozi,anakohoa,kukohoa,nakohoa",
    vomiting: "kutapika,anatapika,natapika",
    rash: "upele,kuwasha",
    pain: "maumivu,kichwa,tumbo,anaumwa,naumwa,mgonjwa",
    child: "mtoto,watoto,kichanga,mwanangu",
    yes: "ndiyo,ndio",
    no: "hapana",
    thanks: "asante,sawa,asante sana",
    greeting: "habari,jambo,hujambo,shikamoo",
    hours: "wazi,mnafungua,mnafunga,saa ngapi,imefungwa,muuguzi",
    visit: "miadi,ziara,nitakuja,tutakuja,naja",
    help: "msaada",
    stop: "acha,simama",
    start: "anza,endelea",
    join: "jiunge,sajili",
    stock: "hisa,stock",
    common: "na,ya,wa,ni,ana,nina,siku,tangu,jana,wiki,sana,yangu,leo,kliniki,yuko,je",
  },
};

/** The things that stock reports count: what people write, and the key of their name. */
export const supplies = {
  nets: "nets,net,bednets,bednet,moustiquaires,moustiquaire,vyandarua,chandarua",
  ors: "ors,sro,chumvi",
  act: "act,coartem,al,alu",
  amoxicillin: "amoxicillin,amox,amoxicilline,amoksilini",
  tests: "tests,test,rdt,tdr,vipimo,kipimo",
  gloves: "gloves,gants,glavu",
};
