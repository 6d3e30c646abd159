// @ts-check
/** @import { Supply, Symptom, Language } from "./words.mjs" */

/**
 * Everything that the application says in one language. `{when}` is a visit, `{list}` what was counted.
 *
 * @typedef {object} Phrases
 * @property {Record<Symptom, string>} questions
 * @property {Record<Symptom, string>} advice - what to do until the visit
 * @property {string} yesOrNo
 * @property {string} emergency
 * @property {string} today
 * @property {string} soon
 * @property {string} stockNoted
 * @property {string} stockLow - after `stockNoted`, where something is low
 * @property {string} stockHow
 * @property {Record<Supply, string>} supplies
 * @property {string} help
 * @property {string} guidance
 * @property {string} greeting
 * @property {string} hours
 * @property {string} visit
 * @property {string} otherVisit - after NO to the campaign's question
 * @property {string} missedCall
 * @property {string} stopped
 * @property {string} started
 * @property {readonly string[]} weekdays
 * @property {string} todayWord
 * @property {string} tomorrowWord
 * @property {string} at - between day and time
 */

/** @type {Record<Language, Phrases>} */
export const phrases = {
  eng: {
    questions: {
      pregnancy: "Is there bleeding, a strong headache, or does the baby move less?",
      wound: "Is it deep, or does it still bleed?",
      diarrhoea: "Is there blood in the stool, or are the eyes sunken?",
      fever: "Is there a danger sign: cannot drink, vomits everything, fits, or hard to wake?",
      cough: "Is the breathing fast or hard?",
      vomiting: "Is there blood in it, or does nothing stay in?",
      rash: "Is there fever too, or a swollen face?",
      pain: "Did it begin suddenly and strongly, or is the neck stiff?",
    },
    advice: {
      pregnancy: "Rest, drink enough, and bring your card.",
      wound: "Wash it with clean water and cover it.",
      diarrhoea: "Give ORS after each stool; go on feeding.",
      fever: "Give plenty to drink and cool the body.",
      cough: "Give warm drinks; keep away from smoke.",
      vomiting: "Give small sips of ORS often.",
      rash: "Keep the skin clean and dry; do not scratch.",
      pain: "Rest and drink enough.",
    },
    yesOrNo: "Reply YES or NO.",
    emergency: "URGENT: come to the clinic now, or call 112 for the car. Do not wait for an answer.",
    today: "Please be seen {when}. {advice} If it gets worse, come at once.",
    soon: "{advice} If it is not better, come {when}. If it gets worse, come at once.",
    stockNoted: "Thank you, noted: {list}.",
    stockLow: "Low: {list}. The car brings more on Thursday.",
    stockHow: "Write STOCK and your counts, such as: STOCK nets 12 ors 40 act 25",
    supplies: { nets: "nets", ors: "ORS", act: "ACT", amoxicillin: "amoxicillin", tests: "tests", gloves: "gloves" },
    help: "Velmara Health Line. Write who is ill, with what and since when: fever child 2 days. Health workers: STOCK nets 12. STOP ends our texts.",
    guidance:
      "We did not understand that. Write who is ill, with what and since when, such as: fever child 2 days. HELP says more.",
    greeting: "Hello, this is the Velmara Health Line. What is wrong? Write for example: fever child 2 days.",
    hours: "The clinic is open from 8 to 16, Monday to Saturday, and a nurse is there. Urgent? Come at any time.",
    visit: "Good. We expect you {when}. Bring your card.",
    otherVisit: "Thank you for telling us. Please come {when} instead, with your card.",
    missedCall:
      "You called us. Texts are quicker: write who is ill, with what and since when, such as: fever child 2 days.",
    stopped: "You will get no more texts from us. Write START when you need us.",
    started: "Welcome back. Write who is ill, with what and since when.",
    weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    todayWord: "today",
    tomorrowWord: "tomorrow",
    at: "at",
  },
  fra: {
    questions: {
      pregnancy: "Y a-t-il un saignement, un fort mal de tête, ou le bébé bouge-t-il moins ?",
      wound: "Est-elle profonde, ou saigne-t-elle encore ?",
      diarrhoea: "Y a-t-il du sang dans les selles, ou les yeux sont-ils creux ?",
      fever: "Y a-t-il un signe de danger : ne peut pas boire, vomit tout, convulsions, difficile à réveiller ?",
      cough: "La respiration est-elle rapide ou difficile ?",
      vomiting: "Y a-t-il du sang, ou rien ne reste-t-il ?",
      rash: "Y a-t-il aussi de la fièvre, ou le visage gonflé ?",
      pain: "A-t-elle commencé d'un coup et très fort, ou la nuque est-elle raide ?",
    },
    advice: {
      pregnancy: "Reposez-vous, buvez assez, apportez votre carte.",
      wound: "Lavez à l'eau propre et couvrez.",
      diarrhoea: "Donnez du SRO après chaque selle ; continuez à nourrir.",
      fever: "Donnez beaucoup à boire et rafraîchissez le corps.",
      cough: "Donnez des boissons chaudes ; évitez la fumée.",
      vomiting: "Donnez souvent de petites gorgées de SRO.",
      rash: "Gardez la peau propre et sèche ; ne grattez pas.",
      pain: "Reposez-vous et buvez assez.",
    },
    yesOrNo: "Répondez OUI ou NON.",
    emergency: "URGENT : venez au centre maintenant, ou appelez le 112 pour la voiture. N'attendez pas de réponse.",
    today: "Il faut consulter {when}. {advice} Si cela s'aggrave, venez tout de suite.",
    soon: "{advice} Si cela ne va pas mieux, venez {when}. Si cela s'aggrave, venez tout de suite.",
    stockNoted: "Merci, c'est noté : {list}.",
    stockLow: "Bas : {list}. La voiture en apporte jeudi.",
    stockHow: "Écrivez STOCK et vos nombres, par exemple : STOCK moustiquaires 12 sro 40",
    supplies: {
      nets: "moustiquaires",
      ors: "SRO",
      act: "ACT",
      amoxicillin: "amoxicilline",
      tests: "tests",
      gloves: "gants",
    },
    help: "Ligne santé de Velmara. Écrivez qui est malade, de quoi et depuis quand : fièvre enfant 2 jours. Agents : STOCK sro 40. STOP arrête nos messages.",
    guidance:
      "Nous n'avons pas compris. Écrivez qui est malade, de quoi et depuis quand, par exemple : fièvre enfant 2 jours. AIDE dit plus.",
    greeting: "Bonjour, ici la ligne santé de Velmara. Qu'y a-t-il ? Écrivez par exemple : fièvre enfant 2 jours.",
    hours: "Le centre est ouvert de 8 h à 16 h, du lundi au samedi, avec une infirmière. Urgent ? Venez à toute heure.",
    visit: "Bien. Nous vous attendons {when}. Apportez votre carte.",
    otherVisit: "Merci de nous le dire. Venez plutôt {when}, avec votre carte.",
    missedCall:
      "Vous avez appelé. Un message va plus vite : écrivez qui est malade, de quoi et depuis quand, par exemple : fièvre enfant 2 jours.",
    stopped: "Vous ne recevrez plus nos messages. Écrivez START quand il le faut.",
    started: "Bon retour. Écrivez qui est malade, de quoi et depuis quand.",
    weekdays: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
    todayWord: "aujourd'hui",
    tomorrowWord: "demain",
    at: "à",
  },
  swa: {
    questions: {
      pregnancy: "Je, kuna damu, kichwa kuuma sana, au mtoto hachezi tumboni?",
      wound: "Je, ni kirefu, au damu bado inatoka?",
      diarrhoea: "Je, kuna damu kwenye choo, au macho yamezama?",
      fever: "Je, kuna dalili ya hatari: hawezi kunywa, anatapika kila kitu, degedege, au haamki?",
      cough: "Je, anapumua haraka au kwa shida?",
      vomiting: "Je, kuna damu, au hakuna kinachobaki tumboni?",
      rash: "Je, kuna homa pia, au uso umevimba?",
      pain: "Je, yalianza ghafla na kwa nguvu, au shingo ni ngumu?",
    },
    advice: {
      pregnancy: "Pumzika, kunywa maji, njoo na kadi yako.",
      wound: "Osha kwa maji safi na ufunike.",
      diarrhoea: "Mpe ORS kila baada ya choo; endelea kumlisha.",
      fever: "Mpe vinywaji vingi na umpoze mwili.",
      cough: "Mpe vinywaji vya moto; epuka moshi.",
      vomiting: "Mpe ORS kidogo kidogo mara kwa mara.",
      rash: "Weka ngozi safi na kavu; usikune.",
      pain: "Pumzika na unywe maji ya kutosha.",
    },
    yesOrNo: "Jibu NDIYO au HAPANA.",
    emergency: "HARAKA: njoo kliniki sasa, au piga 112 upate gari. Usisubiri jibu.",
    today: "Aonwe {when}. {advice} Hali ikizidi, njoo mara moja.",
    soon: "{advice} Asipopata nafuu, njoo {when}. Hali ikizidi, njoo mara moja.",
    stockNoted: "Asante, tumeandika: {list}.",
    stockLow: "Kidogo: {list}. Gari litaleta zaidi Alhamisi.",
    stockHow: "Andika STOCK na hesabu, kwa mfano: STOCK vyandarua 12 ors 40",
    supplies: {
      nets: "vyandarua",
      ors: "ORS",
      act: "ACT",
      amoxicillin: "amoksilini",
      tests: "vipimo",
      gloves: "glavu",
    },
    help: "Simu ya afya ya Velmara. Andika nani anaumwa, nini na tangu lini: homa mtoto siku 2. Wahudumu: STOCK ors 40. STOP inasimamisha ujumbe.",
    guidance:
      "Hatukuelewa. Andika nani anaumwa, nini na tangu lini, kwa mfano: homa mtoto siku 2. MSAADA inaeleza zaidi.",
    greeting: "Habari, hii ni simu ya afya ya Velmara. Kuna nini? Andika kwa mfano: homa mtoto siku 2.",
    hours:
      "Kliniki iko wazi saa 2 asubuhi hadi saa 10 jioni, Jumatatu hadi Jumamosi, na muuguzi yupo. Haraka? Njoo wakati wowote.",
    visit: "Vizuri. Tunakusubiri {when}. Njoo na kadi yako.",
    otherVisit: "Asante kwa kutuambia. Basi njoo {when}, na kadi yako.",
    missedCall:
      "Ulitupigia. Ujumbe ni haraka zaidi: andika nani anaumwa, nini na tangu lini, kwa mfano: homa mtoto siku 2.",
    stopped: "Hutapata ujumbe wetu tena. Andika START ukituhitaji.",
    started: "Karibu tena. Andika nani anaumwa, nini na tangu lini.",
    weekdays: ["Jumapili", "Jumatatu", "Jumanne", "Jumatano", "Alhamisi", "Ijumaa", "Jumamosi"],
    todayWord: "leo",
    tomorrowWord: "kesho",
    at: "saa",
  },
};
