// What events are about. All that is not `kind` may be absent: the shapes of callbacks are not published.
import type { MemberField } from './panel.js';
import type { Int } from './values.js';

/** An interview. */
export interface InterviewEntity {
  kind: 'interview';
  /** GUID. */
  id?: string;
  /** The survey. */
  surveyId?: Int;
  /** The state of the interview: `Completed`, or another word. */
  state?: string;
  /** The panel of the member who was invited. */
  panelId?: Int;
  /** That member. */
  panelMemberId?: Int;
  /** When it was begun. */
  startDate?: Date;
  /** When it was finished. */
  endDate?: Date;
  /** When it last changed. */
  updatedAt?: Date;
}

/** A member of a panel. */
export interface MemberEntity {
  kind: 'member';
  /** Number of the member. */
  id?: Int;
  /** The panel, where it is named. */
  panelId?: Int;
  /** The fields by name. */
  fields?: Record<string, MemberField>;
  /** When it was created. */
  createdAt?: Date;
  /** When it last changed. */
  updatedAt?: Date;
}

/** A message that came back. */
export interface BounceEntity {
  kind: 'bounce';
  /** The interview of the invitation: GUID. */
  interviewId?: string;
  /** The panel. */
  panelId?: Int;
  /** The member. */
  panelMemberId?: Int;
  /** The distributor that carried the message. */
  distributorId?: Int;
  /** `Hard`, `Soft`, `Spam` or another word. */
  bounceType?: string;
  /** When it came back. */
  timestamp?: Date;
  /** Why, in the words of the other side. */
  reason?: string;
  /** The address that it was sent to. */
  email?: string;
  /** The number that it was sent to. */
  phone?: Int;
}

/** Somebody who wants no more messages, or wants them again. */
export interface OptOutEntity {
  kind: 'optOut';
  /** The address that wants no messages. */
  email?: string;
  /** The number that wants no messages. */
  phone?: Int;
  /** The panel, where it is named. */
  panelId?: Int;
  /** The member, where it is named. */
  panelMemberId?: Int;
  /** Since when. */
  optOutAt?: Date;
  /** Who said so. */
  optOutBy?: string;
}

/** A survey. */
export interface SurveyEntity {
  kind: 'survey';
  /** Number of the survey. */
  id?: Int;
  /** Its workspace, where it is named. */
  workspaceId?: Int;
  /** Its name. */
  name?: string;
  /** How far it is. */
  status?: string;
  /** When it last changed. */
  updatedAt?: Date;
}

/** Something that this version cannot read: see the event's `raw`. */
export interface UnknownEntity {
  kind: 'unknown';
}

/** What an event is about. `kind` tells them apart. */
export type Entity = InterviewEntity | MemberEntity | BounceEntity | OptOutEntity | SurveyEntity | UnknownEntity;
