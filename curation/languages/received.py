"""How files of surveys call their columns and values in a language, as platforms write them."""

from curation.languages.general import Part


class Received(Part):
    """Names of columns, sheets and values; the rows from `codebook_sheets` on are patterns.

    Attributes:
        google_forms_time: The first column of Google Forms.
        surveymonkey_respondent: The first column of SurveyMonkey.
        surveymonkey_collector: Its second one.
        surveymonkey_submitted: Its time of submission.
        started: Columns with the time when a survey was begun, as Microsoft Forms and SurveyMonkey
            call them.
        ended: Those with the time when it was sent.
        limesurvey_columns: Columns of LimeSurvey.
        limesurvey_submitted: Its time of submission.
        limesurvey_respondent: Its respondents.
        limesurvey_yes: What it writes for an option that was chosen.
        limesurvey_no: What it writes for one that was not.
        qualtrics_real: What Qualtrics writes for answers of real people; 16 is one without
            internet.
        qualtrics_unreal: What it writes for others.
        panel_ids: Respondents in files of panel companies.
        panel_durations: How long they took.
        codebook_variables: Columns of a codebook that hold names of columns.
        codebook_texts: Those that hold texts of questions.
        codebook_codes: Those that hold codes.
        codebook_labels: Those that hold texts of options.
        totals: Rows that are no respondent.
        year: What may follow a year in a date.
        month: The same of a month.
        day: The same of a day.
        morning: Before noon.
        afternoon: After noon.
        codebook_sheets: Sheets that hold a codebook.
        attention: Attention checks.
        attributes: Attributes of respondents.
        display_order: The order in which options were shown.
        email: E-mail addresses; this and the following are of columns that tell who somebody is.
        ip: IP addresses.
        phone: Telephone numbers.
        person: Names.
        place: Places.
        address: Addresses.
        birth: Dates of birth.
        account: Accounts.
        attention_failed: What says that somebody failed the attention check, as a whole cell; this
            and the following are compared without regard to case, blanks and hyphens.
        attention_passed: What says that somebody passed it.
        status_complete: What says that somebody answered to the end.
        status_partial: What says that somebody broke off.
        status_screened_out: What says that somebody did not belong to the survey.
        ticked: What says in the column of an option that it was chosen.
        unticked: What says there that it was not.
        other: What tools call an answer in somebody's own words.
        unanswered: What files call an answer that was not given, as a whole label.
        tests: What people write who only try a form.
        simple_respondent: Columns of simple tables that name respondents, beside `panel_ids`.
        simple_question: Those that name questions.
        simple_answer: Those that hold answers.
        simple_option: Those that hold an option's code or text.
        simple_group: Those that hold a group.
        simple_votes: Those that hold numbers of votes.
        simple_people: Those that hold numbers of respondents.
        simple_form: Those that name the form that a respondent answered.
    """

    google_forms_time: tuple[str, ...] = ()
    surveymonkey_respondent: tuple[str, ...] = ()
    surveymonkey_collector: tuple[str, ...] = ()
    surveymonkey_submitted: tuple[str, ...] = ()
    started: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    limesurvey_columns: tuple[str, ...] = ()
    limesurvey_submitted: tuple[str, ...] = ()
    limesurvey_respondent: tuple[str, ...] = ()
    limesurvey_yes: tuple[str, ...] = ()
    limesurvey_no: tuple[str, ...] = ()
    qualtrics_real: tuple[str, ...] = ()
    qualtrics_unreal: tuple[str, ...] = ()
    panel_ids: tuple[str, ...] = ()
    panel_durations: tuple[str, ...] = ()
    codebook_variables: tuple[str, ...] = ()
    codebook_texts: tuple[str, ...] = ()
    codebook_codes: tuple[str, ...] = ()
    codebook_labels: tuple[str, ...] = ()
    totals: tuple[str, ...] = ()
    year: tuple[str, ...] = ()
    month: tuple[str, ...] = ()
    day: tuple[str, ...] = ()
    morning: tuple[str, ...] = ()
    afternoon: tuple[str, ...] = ()
    codebook_sheets: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    display_order: tuple[str, ...] = ()
    email: tuple[str, ...] = ()
    ip: tuple[str, ...] = ()
    phone: tuple[str, ...] = ()
    person: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    birth: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
    attention_failed: tuple[str, ...] = ()
    attention_passed: tuple[str, ...] = ()
    status_complete: tuple[str, ...] = ()
    status_partial: tuple[str, ...] = ()
    status_screened_out: tuple[str, ...] = ()
    ticked: tuple[str, ...] = ()
    unticked: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    simple_respondent: tuple[str, ...] = ()
    simple_question: tuple[str, ...] = ()
    simple_answer: tuple[str, ...] = ()
    simple_option: tuple[str, ...] = ()
    simple_group: tuple[str, ...] = ()
    simple_votes: tuple[str, ...] = ()
    simple_people: tuple[str, ...] = ()
    simple_form: tuple[str, ...] = ()
