// Makes form f01 in Google Forms, and a sheet for its answers.
// Written by 'curate survey build'; README.txt says how to use it.
const SURVEY = {
 "title": "Crafts (f01)",
 "description": "About crafts: 5 questions.\n\nGo on if you agree.",
 "thanks": "Thanks.",
 "steps": [
  {
   "kind": "choice",
   "title": "Where do you live?",
   "options": [
    "East & all",
    "west"
   ]
  },
  {
   "kind": "section",
   "title": "Choose one."
  },
  {
   "kind": "choice",
   "title": "Who is said to \"hum {softly} [[at]] work\"?",
   "options": [
    "=Potters",
    "Bakers, Weavers",
    "Nobody"
   ]
  },
  {
   "kind": "section",
   "title": "Choose all."
  },
  {
   "kind": "checkbox",
   "title": "Which of them rise <early>?",
   "options": [
    "Glaziers",
    "Bakers",
    "The \"Potters\"",
    "Nobody"
   ]
  },
  {
   "kind": "choice",
   "title": "Please choose Blue. (f01)",
   "options": [
    "Red",
    "Blue"
   ]
  },
  {
   "kind": "section",
   "title": "Read <well>."
  },
  {
   "kind": "choice",
   "title": "Bob and Ann came in. Bob hummed, Ann paid ${5}.\n\nWho was silent?",
   "options": [
    "Bob",
    "Ann",
    "Unknown"
   ]
  }
 ]
};

function makeForm() {
  const form = FormApp.create(SURVEY.title)
    .setDescription(SURVEY.description)
    .setConfirmationMessage(SURVEY.thanks)
    .setCollectEmail(false)
    .setShuffleQuestions(false)
    .setProgressBar(true);
  SURVEY.steps.forEach(function (step) {
    if (step.kind === 'section') {
      form.addSectionHeaderItem().setTitle(step.title);
      return;
    }
    const item = step.kind === 'checkbox' ? form.addCheckboxItem() : form.addMultipleChoiceItem();
    item.setTitle(step.title).setChoiceValues(step.options).setRequired(true);
  });
  const sheet = SpreadsheetApp.create(SURVEY.title + ' (answers)');
  form.setDestination(FormApp.DestinationType.SPREADSHEET, sheet.getId());
  Logger.log('For respondents: ' + form.getPublishedUrl());
  Logger.log('To edit it: ' + form.getEditUrl());
  Logger.log('The answers: ' + sheet.getUrl());
}
